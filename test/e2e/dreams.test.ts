import { describe, expect, it } from 'vitest'
import { forget } from '../store/by-project.ts'
import { type Client, startClient } from './client.ts'

interface WireDream {
  readonly id: number
  readonly thought: string
  readonly source_memory_ids: readonly number[]
  readonly novelty: number
  readonly created_at: string
}

const dreamsOf = (answer: Record<string, unknown>): WireDream[] => answer.dreams as WireDream[]

/** Remembers so many notes over HTTP and has one dream about each. */
async function dreamAbout(client: Client, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < count; at += 1) {
    ids.push(Number((await client.write('/v1/remember', { text: `note ${at}` })).id))
  }
  await client.daemon.brain.store.dreams.addMany(
    'default',
    ids.map((id) => ({
      kind: 'bridge' as const,
      thought: `a thought about ${id}`,
      sourceMemoryIds: [id],
      novelty: 0.5,
      createdAt: Date.UTC(2025, 2, 3, 3),
    })),
  )
  return ids
}

describe('GET /v1/dreams', () => {
  it('returns unread dreams, oldest first, five unless asked otherwise, each once', async () => {
    const client = await startClient()
    const ids = await dreamAbout(client, 8)
    const first = dreamsOf(await client.read('/v1/dreams'))
    expect(first.map(({ source_memory_ids }) => source_memory_ids)).toEqual(ids.slice(0, 5).map((id) => [id]))
    expect(first[0]).toEqual({
      id: first[0]?.id,
      thought: `a thought about ${ids[0]}`,
      source_memory_ids: [ids[0]],
      novelty: 0.5,
      created_at: '2025-03-03T03:00:00.000+00:00',
    })
    expect(
      dreamsOf(await client.read('/v1/dreams?limit=20')).map(({ source_memory_ids }) => source_memory_ids),
    ).toEqual(ids.slice(5).map((id) => [id]))
    expect(await client.read('/v1/dreams')).toEqual({ dreams: [] })
  })

  it('asked for by thirty readers at once gives each dream to one of them', async () => {
    const client = await startClient()
    await dreamAbout(client, 40)
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.read('/v1/dreams?limit=3')))
    const seen = answers.flatMap(dreamsOf).map(({ id }) => id)
    expect(seen).toHaveLength(40)
    expect(new Set(seen).size).toBe(40)
  })

  it('gives nothing to another project, which leaves them unread', async () => {
    const client = await startClient()
    await dreamAbout(client, 1)
    const stranger = await client.as('theirs')
    expect(await stranger.read('/v1/dreams')).toEqual({ dreams: [] })
    expect(dreamsOf(await client.read('/v1/dreams'))).toHaveLength(1)
  })

  it('refused for its limit marks nothing', async () => {
    const client = await startClient()
    await dreamAbout(client, 1)
    const refusals: [string, string][] = [
      ['limit=0', 'limit must be an integer between 1 and 20'],
      ['limit=21', 'limit must be an integer between 1 and 20'],
      ['limit=x', 'limit must be an integer'],
      ['read=true', 'unknown field: read'],
    ]
    for (const [query, error] of refusals) {
      expect(await client.get(`/v1/dreams?${query}`)).toMatchObject({ status: 400, body: { error } })
    }
    expect(dreamsOf(await client.read('/v1/dreams'))).toHaveLength(1)
  })

  it('keeps the text of a dream whose memory was forgotten and drops the id', async () => {
    const client = await startClient()
    const [id = 0] = await dreamAbout(client, 1)
    await forget(client.daemon.brain.store, 'default', id)
    expect(dreamsOf(await client.read('/v1/dreams'))).toMatchObject([
      { thought: `a thought about ${id}`, source_memory_ids: [] },
    ])
  })
})
