/** What the makers of a world's parts share: its clients, its clock, and which place of the file is being made. */
import { userByUsername } from '../../../identity/users/queries.ts'
import { type Actor, anonymous } from '../../../platform/access/actor.ts'
import { actingAs } from '../../../platform/access/credentials/credentials.ts'
import { ConfigError } from '../../../platform/config.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { transact } from '../../../platform/db/transact.ts'
import { hasDueTasks } from '../../../platform/events/queue_state.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { type Answer, type Clients, type Clock, until, WorldRefused } from '../clients.ts'
import type { ReadWorld } from '../read.ts'

/** The time between two things that have no time of their own, in milliseconds. */
const STEP = 1_000

export class Maker {
  readonly deps: Deps
  readonly world: ReadWorld['world']
  readonly #clients: Clients
  readonly #clock: Clock
  readonly #placeOf: ReadWorld['placeOf']

  constructor(deps: Deps, { world, placeOf }: ReadWorld, clients: Clients, clock: Clock) {
    this.deps = { ...deps, now: () => clock.now }
    this.world = world
    this.#clients = clients
    this.#clock = clock
    this.#placeOf = placeOf
  }

  get db(): Db {
    return this.deps.database.db
  }

  /**
   * Makes one thing of the file at its time, and waits for what follows from it in the background, so that it has that time too.
   * @param keys where it is in the file
   * @throws ConfigError Ingot refuses it
   */
  async step<T>(keys: readonly string[], at: string | undefined, make: () => Promise<T>): Promise<T> {
    this.#clock.now = at === undefined ? new Date(this.#clock.now.getTime() + STEP) : new Date(at)
    try {
      const made = await make()
      await this.settle()
      return made
    } catch (error) {
      if (error instanceof WorldRefused) throw new ConfigError(`${this.#placeOf(keys)}: ${error.message}`, { cause: error })
      if (!(error instanceof Refusal)) throw error
      throw new ConfigError(`${this.#placeOf(keys)}: it is refused: ${error.status} ${JSON.stringify(error.body)}`, { cause: error })
    }
  }

  /** Lets some time pass, in milliseconds. */
  pass(time: number): void {
    this.#clock.now = new Date(this.#clock.now.getTime() + time)
  }

  /** Waits until the background has nothing to do. */
  async settle(): Promise<void> {
    await until(async () => !(await hasDueTasks(this.db)) && !(await this.#hasNotedJobs()), 'the end of the work in the background', 4)
  }

  async #hasNotedJobs(): Promise<boolean> {
    return (await this.db.selectFrom('unprocessed_jobs').select('pipeline_id').limit(1).executeTakeFirst()) !== undefined
  }

  /** A user has been made, who from now on can call endpoints. */
  join(username: string): Promise<void> {
    return this.#clients.join(username)
  }

  /** Calls an endpoint as a user. */
  do(who: string, route: string, body?: object): Promise<Answer> {
    return this.#clients.call(who, route, body)
  }

  async actor(username: string): Promise<Actor> {
    const actor = await actingAs(this.db, await this.userId(username))
    if (!actor) throw new WorldRefused(`the user "${username}" is not active`)
    return actor
  }

  /** Runs a command in a transaction, as a user or as the program itself. */
  async run<T>(username: string | undefined, command: (ctx: Context) => Promise<T>): Promise<T> {
    const actor = username === undefined ? anonymous : await this.actor(username)
    return transact(this.db, db => command(systemContext(this.deps, db, actor)))
  }

  /** The id of a user. */
  async userId(username: string): Promise<number> {
    const user = await userByUsername(this.db, username)
    if (!user) throw new WorldRefused(`there is no user "${username}"`)
    return user.id
  }

  userIds(usernames: readonly string[]): Promise<number[]> {
    return Promise.all(usernames.map(username => this.userId(username)))
  }
}
