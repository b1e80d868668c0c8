/**
 * The world is made once in a run, by the file that needs it first; every file has a copy of its database and of its folder. Only what a
 * program must remember, ids and tokens, is passed on beside them.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { makePair } from '../../src/identity/saml/scene_pair.ts'
import { type AtEnd, atEnd as atEndOfFile, Ending } from '../at_end.ts'
import { copyOfOnce } from '../database.ts'
import { testFolder } from '../folder.ts'
import { type Account, openScene, type Person, type Scene, type SceneOptions } from '../scene.ts'
import { furnish } from './fixtures.ts'
import type { Place, Things, Visibility, World } from './world.ts'

/** What is remembered: the world without its scene, and accounts for those who are clients. */
type Memory = Omit<World, 'scene' | 'people' | 'other'> & {
  readonly people: Readonly<Record<keyof World['people'], Account>>
  readonly other: Account
}

const roles = ['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const

const PROVIDERS = 'providers.json'

/** Sign-in providers that nothing is sent to before people come back from them. */
const providers = () => [
  { name: 'github', label: 'GitHub', kind: 'github', settings: { client_id: 'ingot', client_secret: 'correct horse' } },
  { name: 'works', label: 'Works', kind: 'saml', settings: samlSettings() },
]

const samlSettings = () => ({
  entity_id: 'https://id.example.com',
  sso_url: 'https://id.example.com/sso',
  certificate: makePair().certificate,
})

/** The world in a scene of this file, or in one that ends as `atEnd` says. `given`: settings besides its own, and whether requests may fail. */
export async function copyOfWorld(
  atEnd: AtEnd = atEndOfFile,
  given: SceneOptions['settings'] = {},
  failuresExpected = false,
): Promise<World> {
  const { databaseUrl, folder } = await copyOfOnce('world', makeWorld)
  const memory: Memory = JSON.parse(await readFile(join(folder, 'memory.json'), 'utf8'))
  const dataDir = await testFolder(atEnd)
  await cp(join(folder, 'data'), dataDir, { recursive: true })
  const settings = { ...given, providersFile: join(dataDir, PROVIDERS) }
  const beginning = { databaseUrl, dataDir, root: memory.people.admin }
  const scene = await openScene({ settings, beginning, atEnd, failuresExpected })
  const people = Object.entries(memory.people).map(([name, account]) => [name, scene.person(account)])
  return { ...memory, scene, people: Object.fromEntries(people), other: scene.person(memory.other) }
}

async function makeWorld(databaseUrl: string, folder: string): Promise<void> {
  const ending = new Ending()
  try {
    const dataDir = join(folder, 'data')
    await mkdir(dataDir, { recursive: true })
    await writeFile(join(dataDir, PROVIDERS), JSON.stringify({ providers: providers() }))
    const scene = await openScene({
      settings: { providersFile: join(dataDir, PROVIDERS) },
      beginning: { databaseUrl, dataDir },
      atEnd: ending.add,
    })
    const { scene: _, ...rest } = await worldIn(scene)
    // Of people that leaves their accounts: a client is functions.
    await writeFile(join(folder, 'memory.json'), JSON.stringify(rest))
  } finally {
    await ending.run()
  }
}

async function worldIn(scene: Scene): Promise<World> {
  const begun = scene.deps.now().toISOString()
  const outsider = await scene.user({ username: 'outsider' })
  const external = await scene.user({ username: 'external', external: true })
  // One after the other: examples of answers show their ids.
  const members = {} as Record<(typeof roles)[number], Person>
  for (const role of roles) members[role] = await scene.user({ username: role })
  const people = {
    admin: scene.root,
    outsider,
    external,
    ...members,
  }
  const password = 'correct horse battery staple'
  const other = await scene.user({ username: 'other', password })
  const places = { private: await placeOf(scene, people, 'private'), public: await placeOf(scene, people, 'public') }
  const own = Object.fromEntries(Object.keys(people).map(name => [name, {} as Things]))
  const world = { scene, people, places, own, other, password, things: {}, begun }
  await furnish(world)
  // As if all of it were of one day: a request at `begun` would note the activity again where midnight has passed meanwhile.
  const active = sql<string>`${begun}::timestamptz::date`
  await scene.deps.database.db.updateTable('users').set({ last_activity_on: active }).where('last_activity_on', 'is not', null).execute()
  return world
}

async function placeOf(scene: Scene, people: Record<string, Person>, visibility: Visibility): Promise<Place> {
  const owner = people.owner as Person
  const { group } = await scene.group({ path: `${visibility}-group`, visibility, owner })
  const { project } = await scene.project({ path: `${visibility}-project`, visibility, group, owner })
  const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40 } as const
  for (const [role, access_level] of Object.entries(levels)) {
    const answer = await scene.root.post(`${group.url}/members`, { user_id: people[role]?.id, access_level })
    if (answer.status !== 201) throw new Error(`${role} could not become a member: ${JSON.stringify(answer)}`)
  }
  return { group, project, things: {} }
}
