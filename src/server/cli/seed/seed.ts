/** `ingot seed`: fills an instance with the demo world through the commands of the API. Existing data stay. */
import { SingleBar } from 'cli-progress'
import { createCommit } from '../../../code/repository/commits/commands.ts'
import { createUser } from '../../../identity/users/commands.ts'
import { userByUsername } from '../../../identity/users/queries.ts'
import { roles } from '../../../platform/access/abilities.ts'
import { type Actor, asUser } from '../../../platform/access/actor.ts'
import { findActingUser } from '../../../platform/access/credentials/credentials.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { newToken } from '../../../platform/kernel/secrets.ts'
import { openLog } from '../../../platform/log.ts'
import { createGroup } from '../../../spaces/groups/commands.ts'
import { visibleGroup } from '../../../spaces/groups/queries.ts'
import { addMember } from '../../../spaces/members/commands.ts'
import { createProject } from '../../../spaces/projects/commands.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import { findProject } from '../../../spaces/projects/scope.ts'
import { openInstance } from '../../setup/instance.ts'
import { ensureRoot, ROOT } from '../../setup/root.ts'
import { openClients, WorldRefused } from '../../worlds/clients.ts'
import { configFrom, type SettingOptions } from '../settings.ts'
import { TEAM, team, tell, UNFINISHED } from './team/story.ts'
import { type DemoGroup, type DemoPerson, type DemoProject, sizes, worldOf } from './world.ts'

/** Seeds and prints what was created. */
export async function seed(options: SettingOptions & { readonly size: keyof typeof sizes }): Promise<void> {
  const config = configFrom(options)
  const instance = await openInstance({ config, log: openLog(config.logLevel), shared: true })
  try {
    await ensureRoot(instance.deps)
    const password = newToken().reveal().slice(0, 20)
    const { people, groups, projects } = worldOf(sizes[options.size])
    const builder = new Builder(instance.deps, password)
    const steps = [
      ...people.map((person, index) => () => builder.person(person, index < WITH_PASSWORD)),
      ...groups.map(group => () => builder.group(group)),
      ...projects.map(project => () => builder.project(project)),
      () => builder.team(),
    ]
    const bar = new SingleBar({ format: '{bar} {percentage}% | {value} of {total} | {eta} s left', clearOnComplete: true })
    bar.start(steps.length, 0)
    let made = 0
    try {
      for (const step of steps) {
        if (await step()) made += 1
        bar.increment()
      }
      bar.stop()
      process.stdout.write(
        `The demo world has ${people.length} people, ${groups.length + 1} groups and ${projects.length + 1} projects; ${made} of these are new\n` +
          `Look at ${TEAM}/beacon for a small team’s month\n`,
      )
    } finally {
      bar.stop()
      // Also where a later step fails: nobody could sign in as them otherwise.
      if (builder.peopleMade > 0) process.stdout.write(`Sign in as demo-1 to demo-${WITH_PASSWORD} with the password ${password}\n`)
    }
  } finally {
    await instance.close()
  }
}

/** People who can sign in: to store a password takes a tenth of a second. */
const WITH_PASSWORD = 10

/** The demo world begins on this day, and each step takes an hour. */
const BEGINNING = Date.parse('2021-01-04T09:00:00Z')
const HOUR = 3_600_000

/** Creates the missing parts of the world; returns whether a part was created. */
class Builder {
  readonly #outer: Deps
  readonly #deps: Deps
  readonly #password: string
  #hours = 0
  /** People who were not there before. */
  peopleMade = 0

  constructor(deps: Deps, password: string) {
    this.#outer = deps
    this.#password = password
    this.#deps = { ...deps, now: () => new Date(BEGINNING + this.#hours * HOUR) }
  }

  async person({ username, name, email }: DemoPerson, hasPassword: boolean): Promise<boolean> {
    this.#hours += 1
    if (await userByUsername(this.#deps.database.db, username)) return false
    await this.#write(ROOT, ctx => createUser(ctx, { username, name, email, ...(hasPassword && { password: this.#password }) }))
    this.peopleMade += 1
    return true
  }

  async group({ full_path, parent, path, name, visibility, owner, members }: DemoGroup): Promise<boolean> {
    this.#hours += 1
    const { db } = this.#deps.database
    const root = await this.#actor(ROOT)
    if (await visibleGroup(db, root, full_path)) return false
    const above = parent === undefined ? undefined : await visibleGroup(db, root, parent)
    await this.#write(owner, async ctx => {
      const group = await createGroup(ctx, { name, path, visibility, ...(above && { parent_id: above.id }) })
      for (const { username, role } of members) {
        const user = await userByUsername(ctx.db, username)
        if (user) await addMember(ctx, { namespace_id: group.id }, { user_id: user.id, access_level: roles[role] })
      }
    })
    return true
  }

  async project({ full_path, group, commits, path, name, description, visibility }: DemoProject): Promise<boolean> {
    this.#hours += 1
    const { db } = this.#deps.database
    const root = await this.#actor(ROOT)
    const isThere = await visibleProject(db, root, full_path)
    const namespace = await visibleGroup(db, root, group)
    if (!isThere)
      await this.#write(ROOT, ctx =>
        createProject(ctx, { path, name, description, visibility, ...(namespace && { namespace_id: namespace.id }) }),
      )
    for (const { author, message, files } of commits) {
      this.#hours += 1
      if (isThere) continue
      const actor = await this.#actor(author)
      const ctx = systemContext(this.#deps, db, actor)
      const actions = files.map(({ path, content, isNew }) => ({
        action: isNew ? ('create' as const) : ('update' as const),
        file_path: path,
        content: Buffer.from(content),
      }))
      await createCommit(ctx, await findProject(db, actor, full_path), { branch: 'main', commit_message: message, actions })
    }
    return !isThere
  }

  /** A group with a project as a small team would have left it, until today. */
  async team(): Promise<boolean> {
    const { database, now } = this.#outer
    const group = await visibleGroup(database.db, await this.#actor(ROOT), TEAM)
    if (group?.description === UNFINISHED)
      throw new WorldRefused(`an earlier run has left the group ${TEAM} unfinished: delete it, and run this again`)
    if (group) return false
    const clock = { now: now() }
    const clients = await openClients(this.#outer, clock, team)
    try {
      await tell(clients, clock, now())
    } finally {
      await clients.close()
    }
    return true
  }

  async #actor(username: string): Promise<Actor> {
    const user = await findActingUser(this.#deps.database.db, username)
    if (!user) throw new Error(`the demo world has no ${username}`)
    return asUser(user)
  }

  /** Runs a command as a user, in a transaction. */
  async #write(username: string, command: (ctx: Context) => Promise<unknown>): Promise<void> {
    const actor = await this.#actor(username)
    await this.#deps.database.db.transaction().execute(db => command(systemContext(this.#deps, db, actor)))
  }
}
