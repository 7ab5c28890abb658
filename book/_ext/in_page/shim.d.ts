// Of the shim between Python and a browser, what worker.js takes.

type Files = Map<string, File | Directory>;
export class File {
  constructor(data: Uint8Array | never[]);
}
export class Directory {
  constructor(contents: Files);
  contents: Files;
}
export class OpenFile {
  constructor(file: File);
}
export class PreopenDirectory {
  constructor(name: string, contents: Files);
}
export class ConsoleStdout {
  constructor(write: (part: Uint8Array) => void);
}
export class WASI {
  constructor(args: string[], env: string[], fds: unknown[], options: { debug: boolean });
  wasiImport: WebAssembly.ModuleImports;
  initialize(instance: WebAssembly.Instance): void;
}
export class Subscription {
  static read_bytes(view: DataView, at: number): Subscription;
}
