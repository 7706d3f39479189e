/**
 * A store that is opened anew when another program wrote into its file: for processes that live. Knows nothing of what is
 * in it; whoever was under way when it was lost hears of that.
 */
import type { Store } from '../store.ts'

/** Opens a store; `onLost` is to be called when nothing can be had from it any more. */
type Open = (onLost: () => void) => Promise<Store>

/** The groups of a store's methods. */
type Group = Exclude<keyof Store, 'close'>

/** Members of a group that give one value after another, and so no promise. */
type StreamOf<Name extends Group> = {
  [Member in keyof Store[Name]]: Store[Name][Member] extends (...values: never[]) => AsyncGenerator
    ? `${Name}.${Member & string}`
    : never
}[keyof Store[Name]]

/** Another does not compile until it is listed. */
const streams = new Set(
  Object.keys({
    'transfer.records': true,
    'transfer.copies': true,
  } satisfies Record<{ [Name in Group]: StreamOf<Name> }[Group], true>),
)

/** @throws what `open` throws the first time; later the calls do. */
export async function openAgain(open: Open): Promise<Store> {
  let lost = false
  const openNow = (): Promise<Store> =>
    open(() => {
      lost = true
    })
  let store = await openNow()
  let opening: Promise<Store> | undefined

  const renew = async (): Promise<Store> => {
    await store.close().catch(() => {})
    store = await openNow()
    lost = false
    return store
  }

  /** The store as it is, or as it is once it was opened anew. Those who ask meanwhile wait for the same. */
  const current = (): Promise<Store> => {
    if (!lost) return Promise.resolve(store)
    opening ??= renew().finally(() => {
      opening = undefined
    })
    return opening
  }

  const groupOf = (name: Group): object =>
    new Proxy(
      {},
      {
        get: (_, member: string) => {
          const now = Reflect.get(store[name], member)
          // Counts are taken at once, and of what is lost nobody counts.
          if (typeof now !== 'function' || (member === 'count' && name === 'activity')) return now
          const call = async (...values: unknown[]) => {
            const group = (await current())[name]
            return Reflect.get(group, member).apply(group, values)
          }
          if (!streams.has(`${name}.${member}`)) return call
          return async function* (...values: unknown[]) {
            yield* await call(...values)
          }
        },
      },
    )

  const groups = (Object.keys(store) as (keyof Store)[]).filter((name) => name !== 'close')
  return {
    // The very names of the store that was opened, each with the very members.
    ...(Object.fromEntries(groups.map((name) => [name, groupOf(name)])) as unknown as Omit<Store, 'close'>),
    close: async () => {
      await opening?.catch(() => {})
      await store.close()
    },
  }
}
