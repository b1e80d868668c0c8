/** The owners of hooks (projects, groups and the instance), and one hook. */
import type { SelectQueryBuilder } from 'kysely'
import { inInstance, type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { described, integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { type DeliveryRow, deliveryById } from './deliveries/queries.ts'
import { type HookRow, hooksOfGroup, hooksOfProject, systemHooks } from './queries.ts'
import type { HookKind } from './switches.ts'

/** What every scope of this resource provides. */
export interface InHookPlace {
  /** The owner of new hooks; neither for those of the instance. */
  readonly place: { readonly project_id?: number; readonly namespace_id?: number }
  readonly kind: HookKind
  /** The hooks of the owner. */
  // biome-ignore lint/suspicious/noExplicitAny: which tables they come from does not matter
  readonly hooks: SelectQueryBuilder<any, any, HookRow>
}

export const inProjectHooks = within(inProject, {
  name: 'inProject',
  path: {},
  load: async ({ db, project }): Promise<InHookPlace> => ({
    place: { project_id: project.id },
    kind: 'project',
    hooks: hooksOfProject(db, project.id),
  }),
})

export const inGroupHooks = within(inGroup, {
  name: 'inGroup',
  path: {},
  load: async ({ db, group }): Promise<InHookPlace> => ({
    place: { namespace_id: group.id },
    kind: 'group',
    hooks: hooksOfGroup(db, group.id),
  }),
})

export const inSystemHooks = within(inInstance, {
  name: 'inInstance',
  path: {},
  load: async ({ db }): Promise<InHookPlace> => ({ place: {}, kind: 'system', hooks: systemHooks(db) }),
})

const hookId = integer('ID of a hook')

async function findHook({ hooks }: InHookPlace, id: number): Promise<{ hook: HookRow }> {
  const hook = await hooks.where('id', '=', id).executeTakeFirst()
  if (!hook) throw notFound('Hook')
  return { hook }
}

/** `:hook_id` becomes a hook of the owner, or 404. */
export const inHook = <S extends InHookPlace>(outer: Scope<S>) =>
  within(outer, {
    name: `${outer.name}Hook`,
    path: { hook_id: hookId },
    load: (ctx, { hook_id }) => findHook(ctx, hook_id),
    modifiedAt: ({ hook }) => hook.updated_at,
  })

/** `:id` becomes a hook of the instance, or 404. */
export const inSystemHook = within(inSystemHooks, {
  name: 'inSystemHook',
  path: { id: described('ID, unique on the instance', hookId) },
  load: (ctx, { id }) => findHook(ctx, id),
  modifiedAt: ({ hook }) => hook.updated_at,
})

/** `:hook_event_id` becomes a delivery of the hook, or 404. */
export const inDelivery = <S extends { readonly hook: HookRow }>(inOneHook: Scope<S>) =>
  within(inOneHook, {
    name: `${inOneHook.name}Event`,
    path: { hook_event_id: integer('ID of what was sent to the hook') },
    async load({ db, hook }, { hook_event_id }): Promise<{ delivery: DeliveryRow }> {
      const delivery = await deliveryById(db, hook_event_id)
      if (delivery?.hook_id !== hook.id) throw notFound('Hook Event')
      return { delivery }
    },
  })
