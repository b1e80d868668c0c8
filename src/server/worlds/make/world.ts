/** Makes a world of its description, in a fixed order and with a clock of its own, so that ids, iids and times follow from the description. */
import { createUser } from '../../../identity/users/commands.ts'
import { tokenScopes } from '../../../platform/access/credentials/token_scopes.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { newToken } from '../../../platform/kernel/secrets.ts'
import { Secret } from '../../../platform/secret.ts'
import { createGroup } from '../../../spaces/groups/commands.ts'
import { ensureToken } from '../../../spaces/tokens/commands.ts'
import { ROOT } from '../../setup/root.ts'
import { type Clock, openClients, WorldRefused } from '../clients.ts'
import { aboveOf } from '../names.ts'
import type { ReadWorld } from '../read.ts'
import type { WorldGroup, WorldPerson } from '../schema.ts'
import { Maker } from './maker.ts'
import { endOf, makeLabels, makeMembers, makeMilestones } from './places.ts'
import { makeProject } from './project.ts'

/** A user of a world, with a token that its file or chance has chosen. */
export interface MadePerson {
  readonly id: number
  readonly username: string
  readonly token: Secret
}

/** Without a time, a world begins so long before the start, in milliseconds: nothing in it is of the future. */
const BEFORE = 60 * 60 * 1000

/**
 * Makes a world in an instance that has `root` alone.
 * @throws ConfigError something in it is refused; the message says where it stands
 */
export async function makeWorld(deps: Deps, read: ReadWorld): Promise<readonly MadePerson[]> {
  const { time, people = [], groups = [], projects = [] } = read.world
  const clock: Clock = { now: time === undefined ? new Date(deps.now().getTime() - BEFORE) : new Date(time) }
  const clients = await openClients(deps, clock, [ROOT])
  try {
    const maker = new Maker(deps, read, clients, clock)
    const made: MadePerson[] = []
    for (const [index, person] of people.entries())
      made.push(await maker.step(['people', `[${index}]`], undefined, () => makePerson(maker, person)))
    for (const [index, group] of groups.entries()) await makeGroup(maker, ['groups', `[${index}]`], group)
    for (const [index, project] of projects.entries()) await makeProject(maker, ['projects', `[${index}]`], project)
    return made
  } finally {
    await clients.close()
  }
}

async function makePerson(maker: Maker, person: WorldPerson): Promise<MadePerson> {
  const { username, name = username, email = `${username}@example.com`, password, admin = false } = person
  const token = person.token === undefined ? newToken() : new Secret(person.token)
  const scopes = person.scopes ?? tokenScopes.filter(scope => scope !== 'sudo')
  const id = await maker.run(undefined, async ctx => {
    const user = await createUser(ctx, { username, name, email, admin, ...(password !== undefined && { password }) })
    const isOwn = await ensureToken(ctx.db, user.id, { name: 'World', scopes }, token.reveal())
    if (!isOwn) throw new WorldRefused('the token is the one of another user')
    return user.id
  })
  await maker.join(username)
  return { id, username, token }
}

async function makeGroup(maker: Maker, keys: readonly string[], group: WorldGroup): Promise<void> {
  const { path, owner = ROOT, name = endOf(path), description, visibility = 'private', members, labels, milestones } = group
  const above = aboveOf(path)
  const parent = above === undefined ? undefined : await maker.do(ROOT, `GET /groups/${encodeURIComponent(above)}`)
  const attributes = { path: endOf(path), name, visibility, ...(description !== undefined && { description }) }
  const { id } = await maker.step(keys, undefined, () =>
    maker.run(owner, ctx => createGroup(ctx, { ...attributes, ...(parent && { parent_id: parent.id }) })),
  )
  const place = { keys, url: `/groups/${id}`, owner }
  await makeMembers(maker, place, members)
  await makeLabels(maker, place, labels)
  await makeMilestones(maker, place, milestones)
}
