/** Kernels, as `*-program.ts` assemble them and the build puts their bytes in place, over a memory of ours. */

const compiled = new Map<string, WebAssembly.Module>()

/** The functions of a program over one memory; the caller knows which. */
export function instantiate(program: string, memory: WebAssembly.Memory): WebAssembly.Instance['exports'] {
  let module = compiled.get(program)
  if (module === undefined) {
    module = new WebAssembly.Module(Buffer.from(program, 'base64'))
    compiled.set(program, module)
  }
  return new WebAssembly.Instance(module, { host: { memory } }).exports
}
