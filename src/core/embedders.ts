/**
 * How settings name embedders: the providers there are, and which of them are followed by the name of a model. Opens none:
 * `src/models/providers/index.ts` does not compile until it has an entry for each.
 */

/** By the name of the provider; `catalogued` ones have models of the catalogue, which are brought onto this machine first. */
const providers = {
  builtin: { catalogued: false },
  fastembed: { catalogued: true },
  http: { catalogued: false },
} as const

export type ProviderName = keyof typeof providers

const forms = Object.entries(providers).map(([name, { catalogued }]) => (catalogued ? `${name}:MODEL` : name))

/** What the setting `embedder` may be, for people. */
export const embedderForms = `${forms.join(', ')} or none`

/** Whether it can be used as it is: a provider without a catalogue, or none. */
export const isPlainEmbedder = (text: string): boolean =>
  text === 'none' || Object.entries(providers).some(([name, { catalogued }]) => !catalogued && name === text)

/** Whether it is a value of the setting. */
export function isEmbedder(text: string): boolean {
  const [, provider, model = ''] = /^(\w+):(.*)$/.exec(text) ?? []
  const named = Object.entries(providers).some(([name, { catalogued }]) => catalogued && name === provider)
  return isPlainEmbedder(text) || (named && /^[\w.-]+$/.test(model))
}
