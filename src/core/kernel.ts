/** Kernels, as `*-program.ts` assemble them and the build puts their bytes in place, over a memory of ours. */

/** Pages of 65,536 bytes that a 32-bit memory has at most. */
export const mostPages = 65_536

/** A memory that threads can share. Like any, it takes no more than addresses for what it may become. */
export const createSharedMemory = (initial: number): WebAssembly.Memory =>
  new WebAssembly.Memory({ initial, maximum: mostPages, shared: true })

const compiled = new Map<string, WebAssembly.Module>()

/** One program as the two modules that it takes: over a thread's own memory, and over one that threads share. */
export interface Programs {
  readonly own: string
  readonly shared: string
}

/** A program compiled, once for all that use it. */
export function compile(program: string): WebAssembly.Module {
  let module = compiled.get(program)
  if (module === undefined) {
    module = new WebAssembly.Module(Buffer.from(program, 'base64'))
    compiled.set(program, module)
  }
  return module
}

/** The functions of a program over one memory; the caller knows which. */
export function instantiate(
  program: string | Programs,
  memory: WebAssembly.Memory,
): WebAssembly.Instance['exports'] {
  const kind = memory.buffer instanceof SharedArrayBuffer ? 'shared' : 'own'
  const module = compile(typeof program === 'string' ? program : program[kind])
  return new WebAssembly.Instance(module, { host: { memory } }).exports
}
