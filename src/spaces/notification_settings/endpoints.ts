/** What people get mail about: everywhere, in a group, in a project (notification settings API of the v4 level 14.0). */
import type { TOptional, TProperties, TSchema } from 'typebox'
import { inSelf } from '../../identity/users/scope.ts'
import type { Ability } from '../../platform/access/abilities.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { unauthenticated } from '../../platform/kernel/errors.ts'
import { inPlanningGroup, inPlanningProject } from '../places/places.ts'
import { changeAddress, changeSetting } from './commands.ts'
import { eventFields, GlobalNotificationSetting, globalLevel, NotificationSetting, placeLevel } from './entity.ts'
import { globalSettingOf, settingIn } from './queries.ts'

type Optionals<P extends TProperties> = { [K in keyof P]: TOptional<P[K]> }

const optionals = <P extends TProperties>(fields: P): Optionals<P> =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, optional(schema as TSchema)])) as Optionals<P>

const eventParams = optionals(eventFields)

const ofSelf = { scope: inSelf, can: 'update_own' } as const

export const getNotificationSettings = endpoint({
  route: 'GET /notification_settings',
  summary: 'Get what one gets mail about everywhere',
  ...ofSelf,
  answers: one(GlobalNotificationSetting),
  run: ({ db, user }) => globalSettingOf(db, user.id),
})

export const setNotificationSettings = endpoint({
  route: 'PUT /notification_settings',
  summary: 'Change what one gets mail about everywhere',
  ...ofSelf,
  params: {
    level: optional(globalLevel),
    notification_email: optional(text('The address that mails go to: one that is confirmed', { maxLength: 254 })),
    ...eventParams,
  },
  answers: one(GlobalNotificationSetting),
  async run(ctx) {
    const { notification_email, ...changes } = ctx.params
    await changeSetting(ctx, ctx.user.id, undefined, changes)
    if (notification_email !== undefined) await changeAddress(ctx, ctx.user, notification_email)
    return globalSettingOf(ctx.db, ctx.user.id)
  },
})

/** A group or project. */
interface InPlace {
  readonly place: { readonly key: Place }
}

function settingEndpoints<S extends InPlace>(noun: 'group' | 'project', scope: Scope<S>, can: Ability) {
  const path = `/${noun}s/:id/notification_settings` as const
  const get = endpoint({
    route: `GET ${path}`,
    summary: `Get what one gets mail about in a ${noun}`,
    scope,
    can,
    answers: one(NotificationSetting),
    run: ctx => settingIn(ctx.db, callerOf(ctx), ctx.place.key),
  })
  const set = endpoint({
    route: `PUT ${path}`,
    summary: `Change what one gets mail about in a ${noun}`,
    scope,
    can,
    params: { level: optional(placeLevel), ...eventParams },
    answers: one(NotificationSetting),
    async run(ctx) {
      await changeSetting(ctx, callerOf(ctx), ctx.place.key, ctx.params)
      return settingIn(ctx.db, callerOf(ctx), ctx.place.key)
    },
  })
  return { get, set }
}

function callerOf({ actor }: Pick<Context, 'actor'>): number {
  if (!actor.user) throw unauthenticated()
  return actor.user.id
}

const ofGroup = settingEndpoints('group', inPlanningGroup, 'choose_group_notifications')
export const getGroupNotificationSettings = ofGroup.get
export const setGroupNotificationSettings = ofGroup.set

const ofProject = settingEndpoints('project', inPlanningProject, 'choose_project_notifications')
export const getProjectNotificationSettings = ofProject.get
export const setProjectNotificationSettings = ofProject.set
