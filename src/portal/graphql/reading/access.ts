/** Reads something of a project or group for those who have the ability. */
import { type Ability, allows } from '../../../platform/access/abilities.ts'
import type { GroupRow } from '../../../spaces/groups/queries.ts'
import { groupSubject } from '../../../spaces/groups/scope.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { emptyConnection, type PageArgs } from './connections.ts'
import type { Resolver } from './part.ts'
import type { GraphRequest } from './request.ts'
import type { Thing } from './things.ts'

/** A group with the caller's role in it. */
export type GroupWithRole = GroupRow & { readonly role: number }

/** Of a project; `otherwise` for callers without the ability. */
export const inProjectFor =
  <Args>(
    ability: Ability,
    read: (project: ProjectWithRole, args: Args, request: GraphRequest) => unknown,
    otherwise: (request: GraphRequest, args: Args) => unknown = () => null,
  ): Resolver =>
  async (source: Thing<ProjectRow>, args: Args, request) => {
    const project = await request.project(source.row.id)
    return project && request.may(ability, project) ? read(project, args, request) : otherwise(request, args)
  }

/** The same for a list, which is empty for callers without the ability. */
export const listInProjectFor = <Args extends PageArgs>(
  ability: Ability,
  read: (project: ProjectWithRole, args: Args, request: GraphRequest) => unknown,
): Resolver => inProjectFor(ability, read, emptyConnection)

/** May the caller do this in the group? */
export const mayInGroup = ({ ctx }: GraphRequest, ability: Ability, group: GroupWithRole): boolean =>
  allows(ctx.actor, ability, groupSubject(group)) === 'yes'

/** Of a group, null for callers without the ability. */
export const inGroupFor =
  <Args>(
    ability: Ability,
    read: (group: GroupWithRole, args: Args, request: GraphRequest) => unknown,
    otherwise: (request: GraphRequest, args: Args) => unknown = () => null,
  ): Resolver =>
  async (source: Thing<GroupRow>, args: Args, request) => {
    const group = await request.group(source.row.id)
    return group && mayInGroup(request, ability, group) ? read(group, args, request) : otherwise(request, args)
  }

/** The same for a list, which is empty for callers without the ability. */
export const listInGroupFor = <Args extends PageArgs>(
  ability: Ability,
  read: (group: GroupWithRole, args: Args, request: GraphRequest) => unknown,
): Resolver => inGroupFor(ability, read, emptyConnection)

/** What of the arguments was given: null and left out are the same to the queries. */
export const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined

/** An order of a list, written `CREATED_DESC` or in small letters; `orders` has the names of its columns. */
export function orderOf<Order>(
  sort: string,
  orders: Readonly<Record<string, Order>>,
): { readonly order_by: Order; readonly sort: 'asc' | 'desc' } {
  const [, name = '', direction] = /^(.+)_(asc|desc)$/.exec(sort.toLowerCase()) ?? []
  return { order_by: orders[name] as Order, sort: direction as 'asc' | 'desc' }
}

/** The values of an enum of orders: in capitals, and for `plain` ones in small letters too, as the platform first had them. */
export const orderValues = (names: readonly string[], plain: readonly string[] = []): string =>
  names
    .flatMap(name => ['asc', 'desc'].map(direction => ({ value: `${name}_${direction}`, isPlain: plain.includes(name) })))
    .flatMap(({ value, isPlain }) => [value.toUpperCase(), ...(isPlain ? [value] : [])])
    .map(value => `"${value.toLowerCase().replaceAll('_', ' ')}" ${value}`)
    .join('\n')

/** The fields of a type of permissions, with the ability that each stands for. */
export const permissionFields = (permissions: Readonly<Record<string, Ability>>): string =>
  Object.entries(permissions)
    .map(([name, ability]) => `"Whether the caller has the ability ${ability}"\n${name}: Boolean!`)
    .join('\n')

/** The resolvers of a type of permissions, whose source answers the question. */
export const permissionResolvers = (permissions: Readonly<Record<string, Ability>>): Readonly<Record<string, Resolver>> =>
  Object.fromEntries(Object.entries(permissions).map(([name, ability]) => [name, (may: (ability: Ability) => boolean) => may(ability)]))
