/** What the resolvers of one request share: who asks, and loaders that gather what several of them ask for. */
import DataLoader from 'dataloader'
import { type FieldNode, GraphQLError, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql'
import { pipelinesById } from '../../../ci/pipelines/queries.ts'
import { UserProfile } from '../../../identity/users/entity.ts'
import { users } from '../../../identity/users/queries.ts'
import { type Ability, allows } from '../../../platform/access/abilities.ts'
import { groupRole } from '../../../platform/access/visible.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { type Entity, presentAll } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Endpoint, Route } from '../../../platform/kernel/declaration/endpoint.ts'
import { SignOnMissing } from '../../../platform/kernel/errors.ts'
import { groups } from '../../../spaces/groups/queries.ts'
import { assertSignedOn } from '../../../spaces/groups/sign_on.ts'
import { statisticsByProject } from '../../../spaces/project_statistics/queries.ts'
import { projectsWithRoleById } from '../../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { type Lists, listsOf } from './lists.ts'
import { Pacer } from './pacer.ts'
import type { RepositoryWork } from './repository_work.ts'
import { Thing } from './things.ts'

// biome-ignore lint/suspicious/noExplicitAny: what `load` hands to `present` is each entity's own affair
type AnyEntity<Row> = Entity<Row, any, any>

type Values<Id, Row> = (ids: readonly Id[]) => Promise<ReadonlyMap<Id, Row>>

/** The score of a query and its limit. */
export interface Complexity {
  readonly score: number
  readonly limit: number
}

/** Finds the declaration of the REST API with this route. */
export type Declarations = (route: Route) => Endpoint

/** What queries share that were sent together. */
export interface SharedByQueries {
  readonly repositories: RepositoryWork
  readonly declarations: Declarations
  /** Mutations that were begun. */
  mutations: number
  /** Whether one of them has changed something. */
  hasChanged: boolean
}

/** Mutations of one request. Contract: without a number on the platform, whose complexity bounds them. */
export const MOST_MUTATIONS = 50

export class GraphRequest {
  readonly ctx: Context
  readonly lists: Lists
  readonly pacer = new Pacer()
  readonly complexity: Complexity
  readonly repositories: RepositoryWork
  readonly #shared: SharedByQueries
  readonly #shown = new Map<unknown, DataLoader<unknown, Thing>>()
  readonly #byId = new Map<unknown, DataLoader<unknown, unknown>>()

  constructor(ctx: Context, complexity: Complexity, shared: SharedByQueries) {
    this.ctx = ctx
    this.#shared = shared
    this.repositories = shared.repositories
    this.complexity = complexity
    this.lists = listsOf(ctx.db)
  }

  /** The row with its JSON: one `load` of the entity for all rows that are asked for meanwhile. */
  show<Row>(entity: AnyEntity<Row>, row: Row): Promise<Thing<Row>> {
    let loader = this.#shown.get(entity)
    if (!loader) {
      loader = new DataLoader<unknown, Thing>(
        async rows => {
          const shown = await presentAll(entity, this.ctx, rows as readonly Row[])
          return rows.map((one, index) => new Thing(one, shown[index]))
        },
        { cache: false },
      )
      this.#shown.set(entity, loader)
    }
    return loader.load(row) as Promise<Thing<Row>>
  }

  /** The declaration of the REST API with this route. */
  declared(route: Route): Endpoint {
    return this.#shared.declarations(route)
  }

  /**
   * Begins a mutation: what was read before it may be other after it, and it takes a slot for expensive work itself.
   * @throws GraphQLError when the request has begun as many as it may
   */
  async beginMutation(): Promise<void> {
    if (++this.#shared.mutations > MOST_MUTATIONS)
      throw new GraphQLError(`At most ${MOST_MUTATIONS} mutations can be sent in a request`, { extensions: { code: 'TOO_MANY_MUTATIONS' } })
    await this.repositories.end()
    this.forget()
  }

  /** Remembers that something was changed: the request cannot be sent again as it is. */
  recordChange(): void {
    this.#shared.hasChanged = true
  }

  /** Forgets what was read. */
  forget(): void {
    this.#byId.clear()
  }

  /** The row with this id, or undefined: one call of `values` for all ids that are asked for meanwhile. */
  byId<Id, Row>(values: Values<Id, Row>, id: Id): Promise<Row | undefined> {
    let loader = this.#byId.get(values)
    if (!loader) {
      loader = new DataLoader<unknown, unknown>(async ids => {
        const found = await values([...new Set(ids)] as Id[])
        return ids.map(one => found.get(one as Id))
      })
      this.#byId.set(values, loader)
    }
    return loader.load(id) as Promise<Row | undefined>
  }

  /** A project that something visible belongs to, with the caller's role in it. */
  readonly project = (id: number): Promise<ProjectWithRole | undefined> => this.byId(this.#projects, id)

  readonly #projects = async (ids: readonly number[]) => {
    const found = await projectsWithRoleById(this.ctx.db, this.ctx.actor, ids)
    return new Map([...found].filter(([, project]) => this.#isSignedOn(project, project.namespace_traversal_ids)))
  }

  /** A session that has to sign in with the provider of the group first reaches nothing in it, also from a list that shows its name. */
  #isSignedOn(found: { readonly role: number; readonly full_path: string }, ancestry: readonly number[]): boolean {
    try {
      assertSignedOn(this.ctx.actor, found, ancestry)
      return true
    } catch (error) {
      if (error instanceof SignOnMissing) return false
      throw error
    }
  }

  /** A group that something visible belongs to, with the caller's role in it. */
  readonly group = (id: number) => this.byId(this.#groups, id)

  readonly #groups = async (ids: readonly number[]) => {
    const rows = await groups(this.ctx.db).select(groupRole(this.ctx.actor).as('role')).where('namespaces.id', '=', anyOf(ids)).execute()
    return new Map(rows.filter(row => this.#isSignedOn(row, row.traversal_ids)).map(row => [row.id, row]))
  }

  /** The sizes and counts of a project, without asking who may see them. */
  readonly statistics = (projectId: number) => this.byId(this.#statistics, projectId)

  readonly #statistics = (ids: readonly number[]) => statisticsByProject(this.ctx.db, ids)

  /** Pipelines by id, without asking who may see them. */
  readonly pipelines = (ids: readonly number[]) => pipelinesById(this.ctx.db, ids)

  /** A user with the profile. */
  async user(id: number | null | undefined): Promise<Thing | null> {
    const row = id == null ? undefined : await this.byId(this.#users, id)
    return row ? this.show(UserProfile, row) : null
  }

  readonly #users = async (ids: readonly number[]) => {
    const rows = await users(this.ctx.db).where('users.id', '=', anyOf(ids)).execute()
    return new Map(rows.map(row => [row.id, row]))
  }

  /** May the caller do this in the project? */
  may(ability: Ability, project: ProjectWithRole, own = false): boolean {
    return allows(this.ctx.actor, ability, { ...projectSubject(project), own }) === 'yes'
  }
}

/** How many fields a resolver's object is asked for, at any depth. */
export function fieldsBelow(info: GraphQLResolveInfo): number {
  const count = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((sum, node) => {
      if (node.kind === 'Field') return sum + 1 + count((node as FieldNode).selectionSet)
      if (node.kind === 'InlineFragment') return sum + count(node.selectionSet)
      return sum + count(info.fragments[node.name.value]?.selectionSet)
    }, 0)
  return info.fieldNodes.reduce((sum, node) => sum + count(node.selectionSet), 0)
}
