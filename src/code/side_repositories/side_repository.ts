/**
 * Repositories that are not the code of a project: wikis, snippets. Each kind is declared by the wing that has it and listed in
 * `src/server/ports.ts`; clients reach it by git's HTTP transport and SSH like a project. They have no protected branches and no pipelines.
 */
import type { Ability, AbilitySubject } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { FileAction, Held, RefMove, Repository, RepositoryKey, RepositoryStorages } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/declaration/port.ts'
import type { Tier } from '../../platform/kernel/declaration/types.ts'
import { ensureStored, findStored, type Stored } from '../../spaces/projects/repository/store.ts'

/** Who asks for a repository. */
export interface Caller {
  readonly db: Db
  readonly actor: Actor
  /** Of the instance: below the tier that has them, wikis of groups do not exist. */
  readonly tier: Tier
}

/** A commit of the API: changes of files, and its message. */
export interface SideCommit {
  readonly message: string
  readonly actions: readonly FileAction[]
}

/** A repository beside those of projects, as one caller may see it. */
export interface SideRepository {
  /** As in `404 Wiki Not Found`. */
  readonly noun: string
  /** What its abilities are asked about. */
  readonly subject: AbilitySubject
  /** The ability to fetch from it. Where it is not given, the repository is 404. */
  readonly fetch: Ability
  /** The ability to push to it, which takes that to fetch as well. */
  readonly push: Ability
  /** The line for who may not push; that there is an archived project, for instance. */
  readonly pushRefusal?: string | undefined
  /** Where it is stored. */
  readonly storage: string
  readonly key: RepositoryKey
  /** The branch of HEAD when it is made; null: that of the instance. */
  readonly branch: string | null
  /** The project whose size it counts to; undefined where it belongs to none. */
  readonly project: Stored | undefined
  /**
   * The same repository as a caller may see it now, found by the id of what it belongs to: another may have its path by then.
   * @throws Refusal 404 if it is gone, or the caller may not see what it belongs to
   */
  asNow(caller: Caller): Promise<SideRepository>
  /** The line that refuses a move of a push before anything is received; by default all are taken. */
  moveRefusal?(move: RefMove): string | undefined
  /** The line that refuses a move because of what was pushed, before anything moves; `held`: where the new objects are. By default anything is taken. */
  contentRefusal?(ctx: Context, repository: Repository, move: RefMove, held: Held): Promise<string | undefined>
  /**
   * Follows a push or commit, before its client is informed: records events, measures. A crash between the two loses the call. It does not refuse
   * any more. `ctx.db` is no transaction. `commit`: that of the API; undefined for a push.
   */
  onChanged(ctx: Context, moves: readonly RefMove[], commit?: SideCommit): Promise<void>
}

/** One kind of such repositories. */
export interface SideRepositoryKind {
  /** Is this the path of one of them, by its form alone? Without leading slashes and without `.git`. */
  recognizes(path: string): boolean
  /**
   * The repository of a path that is recognized, also if nothing is stored yet. Whether the caller may fetch is asked afterwards.
   * @throws Refusal 404 if there is none, or the caller may not see what it belongs to
   */
  find(caller: Caller, path: string): Promise<SideRepository>
}

/** All kinds, provided in `src/server/ports.ts`. */
export const sideRepositoryKinds = new Port<readonly SideRepositoryKind[]>('sideRepositoryKinds')

/** The kind that a path has, by its form; undefined for the path of a project. */
export const sideKindOf = (path: string, kinds = sideRepositoryKinds.value): SideRepositoryKind | undefined =>
  kinds.find(kind => kind.recognizes(path))

/** The repository on disk, or undefined while nothing has been written to it. */
export const storedSide = (
  storages: RepositoryStorages,
  { storage, key }: Pick<SideRepository, 'storage' | 'key'>,
): Promise<Repository | undefined> => findStored(storages, storage, key)

/** The repository on disk, created if there is none yet. */
export const ensureSide = (
  db: Db,
  storages: RepositoryStorages,
  { storage, key, branch }: Pick<SideRepository, 'storage' | 'key' | 'branch'>,
): Promise<Repository> => ensureStored(db, storages, storage, key, branch)
