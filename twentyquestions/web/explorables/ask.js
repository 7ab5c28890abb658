// A guess alone: what opens is the text that goes on.

import { start } from "../kit/start.js";

start("ask", (play) => void (play.style.display = "none"));
