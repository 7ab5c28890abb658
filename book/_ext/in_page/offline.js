// Without a network, gives what page.js keeps: pages that a reader ran work offline. A worker of the
// whole site, so it lies beside the pages.
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    fetch(event.request).catch(async (error) => {
      const kept = await caches.match(event.request);
      if (kept) return kept;
      throw error;
    }),
  );
});
