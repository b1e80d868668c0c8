/** Chats that are notified of events, and those that send commands. */
import type { IntegrationSwitch } from '../switches.ts'
import { branches, brokenOnly, called, defaultBranchOnly, type IntegrationKind, line, must, type SettingField, secret } from './field.ts'

const events: readonly IntegrationSwitch[] = [
  'push_events',
  'tag_push_events',
  'merge_requests_events',
  'issues_events',
  'confidential_issues_events',
  'note_events',
  'confidential_note_events',
  'pipeline_events',
  'wiki_page_events',
]

const webhook = (example: string) => must(called('webhook', 'Address of the incoming webhook', { label: 'Webhook', example }))

const labelFilter: readonly SettingField[] = [
  line('labels_to_be_notified', 'Names of labels with commas between: items without them are not reported', { label: 'Labels' }),
  line('labels_to_be_notified_behavior', 'Whether one of the labels is enough, or all are needed', {
    label: 'Of these labels',
    choices: ['match_any', 'match_all'],
    initial: 'match_any',
  }),
]

const common = (example: string): readonly SettingField[] => [
  webhook(example),
  brokenOnly(true),
  branches('default'),
  defaultBranchOnly,
  ...labelFilter,
]

/** The setting that names the channel of a kind of events. */
export const channelOf: { readonly [S in IntegrationSwitch]?: string } = {
  push_events: 'push_channel',
  tag_push_events: 'tag_push_channel',
  merge_requests_events: 'merge_request_channel',
  issues_events: 'issue_channel',
  confidential_issues_events: 'confidential_issue_channel',
  note_events: 'note_channel',
  confidential_note_events: 'confidential_note_channel',
  pipeline_events: 'pipeline_channel',
  wiki_page_events: 'wiki_page_channel',
  deployment_events: 'deployment_channel',
}

const channels: readonly SettingField[] = [
  line('channel', 'Channels with commas between, where none is named for the event; else that of the webhook', { label: 'Channel' }),
  ...Object.entries(channelOf).map(([event, name]) =>
    line(name, `Channels for \`${event}\`, with commas between`, {
      label: `Channel for ${event.replace(/_events$/, '').replaceAll('_', ' ')}`,
    }),
  ),
]

const withChannels = (example: string): readonly SettingField[] => {
  const [address, ...others] = common(example) as [SettingField, ...SettingField[]]
  return [address, line('username', 'Name that messages are posted under', { label: 'Username' }), ...others, ...channels]
}

const chat = (slug: string, title: string, about: string, fields: readonly SettingField[], more: readonly IntegrationSwitch[] = []) =>
  ({ slug, title, about, group: 'Chat', fields, events: [...events, ...more] }) as const satisfies IntegrationKind

export const chats: readonly IntegrationKind[] = [
  chat(
    'slack',
    'Slack notifications',
    'Posts what happens to channels in Slack.',
    withChannels('https://hooks.slack.com/services/T000/B000/XXXX'),
    ['deployment_events'],
  ),
  chat(
    'mattermost',
    'Mattermost notifications',
    'Posts what happens to channels in Mattermost.',
    withChannels('https://mattermost.example.com/hooks/xxxx'),
    ['deployment_events'],
  ),
  chat(
    'microsoft-teams',
    'Microsoft Teams notifications',
    'Posts what happens as cards to a channel in Microsoft Teams.',
    common('https://example.webhook.office.com/webhookb2/xxxx'),
  ),
  chat(
    'discord',
    'Discord Notifications',
    'Posts what happens to a channel in Discord.',
    common('https://discord.com/api/webhooks/1/xxxx'),
  ),
  chat(
    'hangouts-chat',
    'Google Chat',
    'Posts what happens to a space in Google Chat.',
    common('https://chat.googleapis.com/v1/spaces/AAAA/messages?key=xxxx'),
  ),
  chat(
    'unify-circuit',
    'Unify Circuit',
    'Posts what happens to a conversation in Circuit.',
    common('https://circuit.com/rest/v2/webhooks/incoming/xxxx'),
  ),
  chat(
    'webex-teams',
    'Webex Teams',
    'Posts what happens to a space in Webex.',
    common('https://api.ciscospark.com/v1/webhooks/incoming/xxxx'),
  ),
  {
    slug: 'slack-slash-commands',
    title: 'Slack slash commands',
    about: 'Keeps the token of a slash command in Slack.',
    group: 'Chat',
    fields: [must(secret('token', 'Token of the slash command', { label: 'Token' }))],
    events: [],
    kept: true,
  },
  {
    slug: 'mattermost-slash-commands',
    title: 'Mattermost slash commands',
    about: 'Keeps the token of a slash command in Mattermost.',
    group: 'Chat',
    fields: [
      must(secret('token', 'Token of the slash command', { label: 'Token' })),
      line('username', 'Name that answers are posted under', { label: 'Username' }),
    ],
    events: [],
    kept: true,
  },
  {
    slug: 'campfire',
    title: 'Campfire',
    about: 'Keeps the settings of a Campfire room.',
    group: 'Chat',
    fields: [
      must(secret('token', 'Token of Campfire', { label: 'Token' })),
      line('subdomain', 'Subdomain of Campfire'),
      line('room', 'Room of Campfire'),
    ],
    events: ['push_events'],
    kept: true,
  },
  {
    slug: 'flowdock',
    title: 'Flowdock',
    about: 'Keeps the token of a flow.',
    group: 'Chat',
    fields: [must(secret('token', 'Token of the flow', { label: 'Token' }))],
    events: ['push_events'],
    kept: true,
  },
  {
    slug: 'irker',
    title: 'irker (IRC gateway)',
    about: 'Keeps the settings of a gateway to IRC.',
    group: 'Chat',
    fields: [
      must(line('recipients', 'Addresses, with spaces between', { label: 'Recipients' })),
      line('default_irc_uri', 'Address before the names of channels', {
        label: 'IRC address',
        example: 'irc://irc.network.net:6697/',
        form: { pattern: '^(ircs?://[^\\s"\'`<>\\\\]+)?$', message: 'must be a valid irc or ircs URL' },
      }),
      line('server_host', 'Host of the gateway', { label: 'Host' }),
      { name: 'server_port', type: 'integer', about: 'Port of the gateway', label: 'Port' },
      { name: 'colorize_messages', type: 'flag', about: 'Whether messages have colors', label: 'Colors' },
    ],
    events: ['push_events'],
    kept: true,
  },
  {
    slug: 'pushover',
    title: 'Pushover',
    about: 'Keeps the keys of Pushover.',
    group: 'Chat',
    fields: [
      must(secret('api_key', 'Key of the application', { label: 'Application key' })),
      must(secret('user_key', 'Key of the user', { label: 'User key' })),
      must(line('priority', 'Priority of messages')),
      line('device', 'Device; empty: all'),
      line('sound', 'Sound of a message'),
    ],
    events: ['push_events'],
    kept: true,
  },
]
