/** An operation's output as text for people, by way of the file that renders it. */
import { loadView } from '../operation-modules.ts'
import type { Style } from './style.ts'
import type { RenderInput } from './view.ts'

export async function render(
  name: string,
  output: unknown,
  { style, ...told }: RenderInput & { readonly style: Style },
): Promise<string> {
  const view = await loadView(name)
  // The output is that of the very operation the view belongs to.
  return view.render(output as never, style, told)
}
