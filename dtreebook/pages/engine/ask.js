// A guess alone: what opens is the text that goes on.

start("ask", (play) => (play.style.display = "none"));
