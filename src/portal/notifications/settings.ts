/** The pages on which people say what they get mail about: everywhere, in a group, in a project. */
import { emailsOf } from '../../identity/emails/queries.ts'
import { setPreferences } from '../../identity/users/preferences/endpoints.ts'
import type { UserRow } from '../../identity/users/queries.ts'
import { inSelf } from '../../identity/users/scope.ts'
import { withDefaults } from '../../platform/access/preferences.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import {
  setGroupNotificationSettings,
  setNotificationSettings,
  setProjectNotificationSettings,
} from '../../spaces/notification_settings/endpoints.ts'
import { globalLevels, levels } from '../../spaces/notification_settings/levels.ts'
import { chosenPlaces, globalSettingOf, settingIn } from '../../spaces/notification_settings/queries.ts'
import type { InPlanningPlace } from '../../spaces/places/places.ts'
import { eitherPlace, type InEither, inPlanningGroupPage, inPlanningProjectPage } from '../places/planning.ts'
import { SETTINGS, settingsPlace } from '../settings/place.ts'
import type { SettingsPage } from '../settings_pages/declaration.ts'
import { settingsPages } from '../settings_pages/page.ts'
import { levelChoices, settingSections } from './sections.ts'

interface InSelf {
  readonly user: UserRow
}

/** After the path of a project or group. */
export const NOTIFICATIONS = '/-/notification_settings'

/** Groups and projects that one's own page lists. */
const MOST_PLACES = 200

async function addressesOf({ db, user }: Context & InSelf): Promise<readonly (readonly [string, string])[]> {
  const others = await emailsOf(db, user.id).where('confirmed_at', 'is not', null).execute()
  return [user.email, ...others.map(({ email }) => email)].map(address => [address, address] as const)
}

export const ownNotifications: SettingsPage<InSelf> = {
  key: 'notifications',
  title: 'Notifications',
  path: `${SETTINGS}/notifications`,
  scope: inSelf,
  can: 'update_own',
  addressOf: (_self, route) => route,
  placeOf: () => settingsPlace('notifications'),
  sections: [
    ...settingSections<InSelf>({
      of: setNotificationSettings,
      levels: globalLevels,
      setting: ({ db, user }) => globalSettingOf(db, user.id),
      besides: {
        fields: [
          {
            name: 'notification_email',
            label: 'Address',
            control: 'select',
            choices: addressesOf,
            hint: 'Mails go to it once it is confirmed; those about the safety of your account go to the primary one.',
          },
        ],
        values: async ({ db, user }) => ({ notification_email: (await globalSettingOf(db, user.id)).notification_email }),
      },
    }),
    {
      key: 'own',
      title: 'What you do yourself',
      of: setPreferences,
      values: ({ user }) => ({ ...withDefaults(user.preferences) }),
      fields: [
        {
          name: 'notified_of_own_activity',
          label: 'Mail me about it too',
          hint: 'As about what others do, by the levels that you chose.',
        },
      ],
    },
    {
      key: 'digest',
      title: 'When mails are sent',
      of: setPreferences,
      values: ({ user }) => ({ ...withDefaults(user.preferences) }),
      fields: [
        {
          name: 'mail_digest',
          label: 'Notifications are mailed',
          control: 'radio',
          choices: [
            ['off', 'Each by itself, when it happens'],
            ['hourly', 'Together, once an hour'],
            ['daily', 'Together, once a day, at 6:00 UTC'],
          ],
          hint: 'Mails about your account always come by themselves.',
        },
      ],
    },
    { key: 'places', title: 'Groups and projects', can: 'update_own', view: placesView },
  ],
}

async function placesView({ db, actor, user }: Context & InSelf): Promise<Html> {
  const places = await chosenPlaces(db, actor, user.id, MOST_PLACES)
  if (places.length === 0)
    return html`<p class="muted">What you chose above holds everywhere. The bell on the page of a group or project is where you choose otherwise.</p>`
  return html`<ul class="list">${places.map(({ kind, full_path, level }) => html`<li>${icon(kind === 'group' ? 'organization' : 'repo')}<div class="main"><a href="${kind === 'group' ? `/groups/${full_path}` : `/${full_path}`}${NOTIFICATIONS}">${full_path}</a></div><span class="muted">${levelChoices[level][0]}</span></li>`)}</ul>`
}

type OfPlace = InPlanningPlace & InEither

const ofPlace = {
  key: 'notifications',
  title: 'Notifications',
  addressOf: ({ project, group }: OfPlace, route: string) =>
    route.replace(':project_path', project?.full_path ?? '').replace(':group_path', group?.full_path ?? ''),
} as const

const sectionsOf = (of: typeof setProjectNotificationSettings | typeof setGroupNotificationSettings) =>
  settingSections<OfPlace>({
    of,
    levels,
    setting: ({ db, actor, place }) => settingIn(db, actor.user?.id ?? 0, place.key),
  })

const projectNotifications: SettingsPage<OfPlace> = {
  ...ofPlace,
  path: `/:project_path${NOTIFICATIONS}`,
  scope: inPlanningProjectPage,
  can: 'choose_project_notifications',
  placeOf: ctx => eitherPlace(ctx.actor, ctx, 'project'),
  sections: sectionsOf(setProjectNotificationSettings),
}

const groupNotifications: SettingsPage<OfPlace> = {
  ...ofPlace,
  path: `/groups/:group_path${NOTIFICATIONS}`,
  scope: inPlanningGroupPage,
  can: 'choose_group_notifications',
  placeOf: ctx => eitherPlace(ctx.actor, ctx, 'group'),
  sections: sectionsOf(setGroupNotificationSettings),
}

export const notificationPages = [
  settingsPages([ownNotifications]),
  settingsPages([projectNotifications]),
  settingsPages([groupNotifications]),
] as const

/** The link to what the caller gets mail about in a project or group. */
export const bell = (pathOf: (rest: string) => string): Html =>
  html`<a class="btn btn-sm" href="${pathOf(NOTIFICATIONS)}" aria-label="Notifications" title="Notifications">${icon('bell')}</a>`
