/** One's own status: an emoji, a line, whether one is busy, and until when it holds. */
import { emojiOf } from '../../collaboration/markdown/document.ts'
import { setOwnStatus } from '../../identity/user_status/endpoints.ts'
import { statusOf } from '../../identity/user_status/queries.ts'
import { inSelf } from '../../identity/users/scope.ts'
import { time } from '../../platform/pages/components/time.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { SETTINGS, settingsPlace } from './place.ts'

const STATUS = `${SETTINGS}/status` as const

/** The emoji that are offered; programs may set any. */
const offered = [
  'speech_balloon',
  'house',
  'palm_tree',
  'calendar',
  'coffee',
  'headphones',
  'no_entry',
  'face_with_thermometer',
  'baby',
  'airplane',
  'bus',
  'books',
  'bug',
  'hammer_and_wrench',
  'rocket',
  'eyes',
  'tada',
  'zzz',
] as const

const status = form({
  path: STATUS,
  summary: 'Set one’s own status',
  scope: inSelf,
  of: setOwnStatus,
  empty: 'left_out',
  async fields({ db, user, now }) {
    const { emoji } = await statusOf(db, user.id, now)
    const names = [...new Set([...(emoji === null ? [] : [emoji]), ...offered])]
    return [
      {
        name: 'emoji',
        control: 'select',
        choices: names.map(name => [name, `${emojiOf(name)} ${name.replaceAll('_', ' ')}`] as const),
        hint: '',
      },
      { name: 'message', label: 'What you are at', hint: 'A line that others see beside your name.', autofocus: true },
      {
        name: 'availability',
        control: 'radio',
        choices: [
          ['not_set', 'Available'],
          ['busy', 'Busy', 'Others see that they should not wait for you.'],
        ],
        hint: '',
      },
      {
        name: 'clear_status_after',
        label: 'Clear it after',
        control: 'select',
        choices: [
          ['', 'Never'],
          ['30_minutes', '30 minutes'],
          ['3_hours', '3 hours'],
          ['8_hours', '8 hours'],
          ['1_day', 'a day'],
          ['3_days', '3 days'],
          ['7_days', 'a week'],
          ['30_days', '30 days'],
        ],
        hint: '',
      },
    ]
  },
  async values({ db, user, now }) {
    const { emoji, message, availability } = await statusOf(db, user.id, now)
    return { emoji: emoji ?? offered[0], message, availability: availability ?? 'not_set' }
  },
  async before({ db, user, now }) {
    const { clear_status_at } = await statusOf(db, user.id, now)
    return clear_status_at === null ? undefined : html`<p class="muted">Your status is cleared ${time(clear_status_at)}.</p>`
  },
  next: ({ user }) => `/${user.username}`,
  notice: 'Your status was set.',
  button: 'Set status',
  second: () => ({ label: 'Clear status', to: `${STATUS}/clear` }),
  cancel: 'stays',
  frame: () => ({ title: 'Status', place: settingsPlace('status') }),
})
export const showStatusForm = status.show
export const submitStatus = status.submit

export const clearStatus = action({
  route: `POST ${STATUS}/clear`,
  of: setOwnStatus,
  scope: inSelf,
  instead: { params: {}, adapt: async () => ({}) },
  next: ({ user }) => `/${user.username}`,
  notice: 'Your status was cleared.',
})
