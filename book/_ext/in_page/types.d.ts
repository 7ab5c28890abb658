// The types of the scripts that run a page. Only `deno check` reads this file, no page.

// What Python gives for a cell, in the form of a notebook, and the same as text.
interface Output {
  output_type: string;
  text?: string;
  traceback?: string[];
  data?: Record<string, string>;
}
interface Reply { outputs: Output[]; shows: string }
// A cell as it was published, with its place in the page if it is shown there, and what became of it.
interface Cell {
  id: string;
  source: string;
  shown: boolean;
  shows: string;
  check?: string;
  needs?: string[];
  place?: Element;
  row?: Element;
  editor?: HTMLElement;
  before?: { shows: string; output?: Element | null; code?: string };
  written?: string;
  outputs?: Output[];
  done?: boolean;
  ready?: boolean;
  forget?(): unknown;
}
// The files that Python consists of: each in gzipped pieces, with their digests.
interface Pieces { pieces: Record<string, string> }
interface Contents {
  bytes: number;
  library: string;
  scripts: string[];
  files: Record<string, Pieces>;
}
interface Task { done(data: any): void; failed(reason: unknown): void }
interface PythonExports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  host_alloc(size: number): number;
  turn(place: number, size: number): void;
}

// What a service worker hears.
interface WaitingEvent extends Event { waitUntil(done: Promise<unknown>): void }
interface FetchEvent extends Event {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface WindowEventMap { activate: WaitingEvent; fetch: FetchEvent }
declare const clients: { claim(): Promise<void> };
