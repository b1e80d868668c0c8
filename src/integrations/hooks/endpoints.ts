/** Hooks of projects, groups and the instance (project hooks, group hooks and system hooks API at 14.0). */
import Type, { type TProperties } from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import { ownerName } from '../../platform/events/worker.ts'
import { plain } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, nothing, one, pageOf, type Shown } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { CommaList, integer, OneOf, text } from '../../platform/kernel/declaration/types.ts'
import { unprocessable } from '../../platform/kernel/errors.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { addHook, changeHook, type HookAttributes, removeHook } from './commands.ts'
import { askForDelivery, resend } from './deliveries/commands.ts'
import { Delivery, Resent } from './deliveries/entity.ts'
import { deliveriesOf } from './deliveries/queries.ts'
import { GroupHook, ProjectHook, SystemHook } from './entity.ts'
import { groupHookParams, projectHookParams, systemHookParams } from './params.ts'
import type { HookRow } from './queries.ts'
import { sampleFor, sampleProjectIn } from './samples.ts'
import { type InHookPlace, inDelivery, inGroupHooks, inHook, inProjectHooks, inSystemHook, inSystemHooks } from './scope.ts'
import { type Switch, switchesOf } from './switches.ts'

interface Place<S extends InHookPlace> {
  readonly path: `/${string}`
  /** As in "of a project". */
  readonly of: string
  readonly scope: Scope<S>
  readonly inOne: Scope<S & { readonly hook: HookRow }>
  /** The path parameter that names a hook. */
  readonly id: 'id' | 'hook_id'
  readonly can: Ability
  readonly entity: Shown<HookRow>
  readonly params: TProperties
  readonly tier?: 'premium'
}

function hookEndpoints<S extends InHookPlace>({ path, of, scope, inOne, id, can, entity, params, ...marks }: Place<S>) {
  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the hooks ${of}`,
    scope,
    can,
    answers: pageOf(entity),
    run: ({ hooks }) => hooks,
    ...marks,
  })
  const get = endpoint({
    route: `GET ${path}/:${id}`,
    // Contract: a system hook is shown, as later releases have it and python-gitlab reads it; at 14.0 this address sent a trial (system hooks API).
    summary: `Get a hook ${of}`,
    scope: inOne,
    can,
    answers: one(entity),
    run: ({ hook }) => hook,
    ...marks,
  })
  const add = endpoint({
    route: `POST ${path}`,
    summary: `Add a hook ${of}`,
    scope,
    can,
    params,
    answers: one(entity),
    errors: ['unprocessable'],
    run: async ctx => ctx.hooks.where('id', '=', await addHook(ctx, ctx, ctx.params as HookAttributes)).executeTakeFirstOrThrow(),
    ...marks,
  })
  const update = endpoint({
    route: `PUT ${path}/:${id}`,
    summary: `Change a hook ${of}`,
    scope: inOne,
    can,
    params,
    answers: one(entity),
    errors: ['unprocessable'],
    async run(ctx) {
      await changeHook(ctx, ctx.hook, ctx.params as HookAttributes)
      return ctx.hooks.where('id', '=', ctx.hook.id).executeTakeFirstOrThrow()
    },
    ...marks,
  })
  const remove = endpoint({
    route: `DELETE ${path}/:${id}`,
    summary: `Delete a hook ${of}`,
    scope: inOne,
    can,
    answers: nothing,
    run: ctx => removeHook(ctx, ctx.hook),
    ...marks,
  })
  const deliveries = endpoint({
    route: `GET ${path}/:${id}/events`,
    summary: `List what was sent to a hook ${of} in the last week`,
    scope: inOne,
    can,
    params: {
      status: Type.Optional(
        CommaList(Type.String({ pattern: '^([1-5][0-9]{2}|successful|client_failure|server_failure)$' }), {
          description: 'Statuses of answers, or `successful`, `client_failure`, `server_failure`',
        }),
      ),
    },
    answers: pageOf(Delivery),
    run: ({ db, hook, params }) => deliveriesOf(db, hook.id, params.status),
    ...marks,
  })
  const again = endpoint({
    route: `POST ${path}/:${id}/events/:hook_event_id/resend`,
    summary: `Send once more what was sent to a hook ${of}`,
    scope: inDelivery(inOne),
    can,
    answers: one(Resent),
    // The request goes out between two transactions.
    writes: 'own',
    run: ctx => resend(ctx.deps, ctx.delivery, ownerOf(ctx)),
    ...marks,
  })
  return [list, get, add, update, remove, deliveries, again] as const
}

const project = { path: '/projects/:id/hooks', of: 'of a project', id: 'hook_id', can: 'admin_project' } as const
const group = { path: '/groups/:id/hooks', of: 'of a group', id: 'hook_id', can: 'admin_group', tier: 'premium' } as const
const system = { path: '/hooks', of: 'of the instance', id: 'id', can: 'admin_instance' } as const
const inProjectHook = inHook(inProjectHooks)
const inGroupHook = inHook(inGroupHooks)

export const projectHooks = hookEndpoints({
  ...project,
  scope: inProjectHooks,
  inOne: inProjectHook,
  entity: ProjectHook,
  params: projectHookParams,
})
export const groupHooks = hookEndpoints({
  ...group,
  scope: inGroupHooks,
  inOne: inGroupHook,
  entity: GroupHook,
  params: groupHookParams,
})
export const systemHooks = hookEndpoints({
  ...system,
  scope: inSystemHooks,
  inOne: inSystemHook,
  entity: SystemHook,
  params: systemHookParams,
})

const Tried = plain('Message', Type.Object({ message: text('What happened, in words') }))

/** Whose deliveries those are that a request asks for. */
const ownerOf = ({ actor }: Pick<Context, 'actor'>): string | undefined => (actor.user ? ownerName(actor.user.id) : undefined)

/** Queues the trial of a hook with a real object of a project. */
async function tryHook(ctx: Context, hook: HookRow, project: ProjectRow, trigger: Switch) {
  const payload = await sampleFor(ctx, project, trigger)
  await askForDelivery(ctx.db, [hook.id], { trigger, payload, turnOf: ownerOf(ctx), now: ctx.now })
  return { message: '201 Created' }
}

export const tryProjectHook = endpoint({
  route: 'POST /projects/:id/hooks/:hook_id/test/:trigger',
  summary: 'Send a trial to a hook of a project',
  scope: inProjectHook,
  can: 'admin_project',
  params: { trigger: OneOf(switchesOf.project, { description: 'What to try it with', examples: ['push_events'] }) },
  answers: one(Tried),
  errors: ['unprocessable'],
  run: ctx => tryHook(ctx, ctx.hook, ctx.project, ctx.params.trigger),
})

export const tryGroupHook = endpoint({
  route: 'POST /groups/:id/hooks/:hook_id/test/:trigger',
  summary: 'Send a trial to a hook of a group, with what there is in one of its projects',
  scope: inGroupHook,
  can: 'admin_group',
  tier: 'premium',
  params: { trigger: OneOf(switchesOf.group, { description: 'What to try it with', examples: ['push_events'] }) },
  answers: one(Tried),
  errors: ['unprocessable'],
  async run(ctx) {
    const project = await sampleProjectIn(ctx.db, ctx.group.id)
    if (!project) throw unprocessable('Ensure the group has a project with something to send.')
    return tryHook(ctx, ctx.hook, project, ctx.params.trigger)
  },
})

/** Contract: a system hook is tried with a project that does not exist, and the answer is what is sent (system hooks API). */
const systemSample = {
  event_name: 'project_create',
  name: 'Ruby',
  path: 'ruby',
  project_id: 1,
  owner_name: 'Someone',
  owner_email: 'example@example.com',
}

export const trySystemHook = endpoint({
  route: 'POST /hooks/:id',
  summary: 'Send a trial to a hook of the instance',
  scope: inSystemHook,
  can: 'admin_instance',
  answers: one(
    plain(
      'SystemHookTrial',
      Type.Object({
        event_name: text('Name of the event'),
        name: text('Name'),
        path: text('Last part of the path, as in addresses'),
        project_id: integer('ID of the project'),
        owner_name: text('Name of the owner'),
        owner_email: text('Email address of the owner'),
      }),
    ),
  ),
  async run({ db, hook, now, actor }) {
    await askForDelivery(db, [hook.id], { trigger: 'system_events', payload: systemSample, turnOf: ownerOf({ actor }), now })
    return systemSample
  },
})
