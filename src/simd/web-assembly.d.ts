/** The part of the WebAssembly interface that we use: Node has it, its type declarations leave it to the browser's. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean })
    readonly buffer: ArrayBuffer | SharedArrayBuffer
    /** Adds pages of 65,536 bytes; views of the old buffer become empty, or, where it is shared, stay as long as they were. */
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, Memory>>>>)
    readonly exports: Readonly<Record<string, unknown>>
  }
}
