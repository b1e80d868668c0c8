/** Badges of projects and groups (project and group badges APIs of the v4 level 14.0): the same declarations for both. */
import Type, { type TProperties } from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { addBadge, assertAddresses, assertKind, changeBadge, removeBadge } from './commands.ts'
import { Badge, RenderedBadge } from './entity.ts'
import { type InBadgePlace, inBadge, inGroupBadges, inProjectBadges } from './scope.ts'

const address = (of: string, example: string) => text(`Address of the ${of}`, { maxLength: 2_048, examples: [example] })
const addresses = {
  link_url: address('link', 'https://ci.example.com/%{project_path}'),
  image_url: address('image', 'https://ci.example.com/%{project_path}/%{default_branch}.svg'),
} satisfies TProperties
const name = optional(text('Name of the badge', { maxLength: 255 }))

interface Kind<S extends InBadgePlace> {
  readonly noun: 'group' | 'project'
  readonly scope: Scope<S>
  readonly read: Ability
  readonly manage: Ability
}

function badgeEndpoints<S extends InBadgePlace>({ noun, scope, read, manage }: Kind<S>) {
  const path = `/${noun}s/:id/badges` as const
  const inOne = inBadge(scope)

  const list = endpoint({
    route: `GET ${path}`,
    summary: noun === 'project' ? 'List the badges of a project and of its groups' : 'List the badges of a group',
    scope,
    can: read,
    params: { name: optional(text('Exact name', { maxLength: 255 })) },
    answers: pageOf(Badge),
    run: ({ badges, params }) => badges.$if(params.name !== undefined, query => query.where('name', '=', params.name)),
  })
  const render = endpoint({
    route: `GET ${path}/render`,
    summary: `See how a badge of a ${noun} would be shown`,
    scope,
    can: manage,
    params: addresses,
    answers: one(RenderedBadge),
    run({ shownFor, params }) {
      assertAddresses(params)
      return { ...params, shown_for: shownFor }
    },
  })
  const get = endpoint({
    route: `GET ${path}/:badge_id`,
    summary: `Get a badge of a ${noun}`,
    scope: inOne,
    can: read,
    answers: one(Badge),
    run: ({ badge }) => badge,
  })
  const add = endpoint({
    route: `POST ${path}`,
    summary: `Add a badge to a ${noun}`,
    scope,
    can: manage,
    params: { ...addresses, name },
    answers: one(Badge),
    run: async ctx => ctx.badges.where('id', '=', await addBadge(ctx, ctx.place, ctx.params)).executeTakeFirstOrThrow(),
  })
  const update = endpoint({
    route: `PUT ${path}/:badge_id`,
    summary: `Change a badge of a ${noun}`,
    scope: inOne,
    can: manage,
    params: { link_url: Type.Optional(addresses.link_url), image_url: Type.Optional(addresses.image_url), name },
    answers: one(Badge),
    async run(ctx) {
      assertKind(ctx.badge, ctx.kind)
      await changeBadge(ctx, ctx.badge, ctx.params)
      return ctx.badges.where('id', '=', ctx.badge.id).executeTakeFirstOrThrow()
    },
  })
  const remove = endpoint({
    route: `DELETE ${path}/:badge_id`,
    summary: `Delete a badge of a ${noun}`,
    scope: inOne,
    can: manage,
    answers: nothing,
    run(ctx) {
      assertKind(ctx.badge, ctx.kind)
      return removeBadge(ctx, ctx.badge)
    },
  })
  return [list, render, get, add, update, remove] as const
}

export const groupBadges = badgeEndpoints({ noun: 'group', scope: inGroupBadges, read: 'read_group', manage: 'admin_group' })
export const projectBadges = badgeEndpoints({ noun: 'project', scope: inProjectBadges, read: 'read_project', manage: 'admin_project' })
