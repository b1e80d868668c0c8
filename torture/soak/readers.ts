/** Those who read while others write: clients of the API, people who look at pages and keep them open, and git. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { World, Writer } from '../crash/world.ts'

/** Milliseconds between two turns. */
const PAUSE = 100

/** Milliseconds for which a page is kept open. */
const OPEN = 3_000

/** Lists and things of the API. */
async function clients({ victim, chance, projects }: World): Promise<void> {
  const project = `/projects/${chance.of(projects).id}`
  const path = chance.of([
    `${project}/issues?per_page=50`,
    `${project}/issues?state=opened&order_by=updated_at`,
    `${project}/merge_requests`,
    `${project}/repository/commits`,
    `${project}/repository/tree?recursive=true`,
    `${project}/jobs`,
    `${project}/pipelines`,
    `${project}/releases`,
    `${project}/packages`,
    '/projects?statistics=true',
    '/events',
    '/search?scope=issues&search=a',
  ])
  await (await victim.call('GET', path)).arrayBuffer()
}

/** Pages that anybody sees. */
async function people({ victim, chance, projects }: World): Promise<void> {
  const place = `/${projects[0]!.path_with_namespace}`
  const path = chance.of([
    '/explore',
    place,
    `${place}/-/issues`,
    `${place}/-/merge_requests`,
    `${place}/-/commits/main`,
    `${place}/-/jobs`,
  ])
  await (await victim.send('GET', path, { token: '', headers: { accept: 'text/html' } })).arrayBuffer()
}

/** A clone, which is thrown away. */
async function clones({ victim, projects, next }: World): Promise<void> {
  const copy = join(victim.cwd, `copy-${next()}`)
  await victim.git(victim.cwd, 'clone', '-q', victim.remote(projects[0]!.path_with_namespace), copy)
  await rm(copy, { recursive: true, force: true })
  await delay(OPEN)
}

/** The stream of an open page, which is left again. */
async function openPages({ victim, projects }: World): Promise<void> {
  const { id } = projects[0]!
  const query = new URLSearchParams({ on: `repository:${id} activity:${id}` })
  const stream = await victim.send('GET', `/-/live?${query}`, { token: '', headers: { accept: 'text/event-stream' } })
  await delay(OPEN)
  await stream.body?.cancel()
}

const readers: readonly Writer[] = [clients, clients, clients, people, people, clones, openPages]

/** All readers begin. @returns what stops them, and waits until each has ended its turn */
export function startReading(world: World): () => Promise<void> {
  let isOver = false
  const reading = readers.map(async reader => {
    while (!isOver) {
      await reader(world)
      await delay(PAUSE)
    }
  })
  return async () => {
    isOver = true
    await Promise.all(reading)
  }
}
