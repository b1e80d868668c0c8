/** Chats: each has its own form of a message. */
import { channelOf } from '../../../spaces/integration_settings/kinds/chats.ts'
import type { IntegrationSwitch } from '../../../spaces/integration_settings/switches.ts'
import { googleMarkup, lineIn, type Markup, markdownMarkup, plainLine, slackMarkup } from '../notices/markups.ts'
import { type Notice, noticeOf } from '../notices/notice.ts'
import type { Payload } from '../payload.ts'
import type { Sender, Sending } from './sender.ts'

const colors = { plain: '#345', good: '#1f883d', bad: '#d1242f' } as const

/** What stands below the first line: the list, and what a person wrote. */
const bodyOf = (markup: Markup, { lines, written }: Notice): string =>
  [...lines.map(line => lineIn(markup, line)), ...(written === undefined ? [] : [markup.text(written)])].join('\n')

/** A message of a chat that has one form for all. */
const posting =
  (form: (notice: Notice, payload: Payload) => object): Sender =>
  async sending => {
    const notice = noticeOf(sending.payload)
    if (notice) await sending.call({ url: sending.address('webhook'), body: JSON.stringify(form(notice, sending.payload)) })
  }

/** The channels of an event; undefined: the one that the webhook is for. */
function channelsOf(sending: Sending): readonly (string | undefined)[] {
  const own = sending.text(channelOf[sending.trigger as IntegrationSwitch] ?? '')
  const names = (own === '' ? sending.text('channel') : own)
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  return names.length > 0 ? names : [undefined]
}

/** Slack and Mattermost: one message for each channel. */
export const postToChannels: Sender = async sending => {
  const notice = noticeOf(sending.payload)
  if (!notice) return
  const head = lineIn(slackMarkup, notice.head)
  const body = bodyOf(slackMarkup, notice)
  const username = sending.text('username')
  for (const channel of channelsOf(sending)) {
    const message = {
      ...(channel !== undefined && { channel }),
      ...(username !== '' && { username }),
      text: head,
      attachments:
        body === '' && notice.tone === 'plain'
          ? []
          : [{ fallback: plainLine(notice.head), text: body, color: colors[notice.tone], mrkdwn_in: ['text'] }],
    }
    await sending.once(`channel:${channel ?? ''}`, () => sending.call({ url: sending.address('webhook'), body: JSON.stringify(message) }))
  }
}

/** A card of Microsoft Teams. */
export const postToTeams = posting((notice, { project }) => ({
  '@type': 'MessageCard',
  '@context': 'https://schema.org/extensions',
  summary: plainLine(notice.head),
  themeColor: colors[notice.tone].slice(1),
  title: project.path_with_namespace,
  sections: [
    {
      activityTitle: lineIn(markdownMarkup, notice.head),
      text: bodyOf(markdownMarkup, notice).replaceAll('\n', '\n\n'),
      markdown: true,
    },
  ],
}))

/** An embed of Discord, from which nobody is mentioned. */
export const postToDiscord = posting((notice, { user, user_name, user_avatar }) => {
  const avatar = user?.avatar_url ?? user_avatar
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        author: { name: user?.name ?? user_name ?? 'Ingot', ...(avatar?.startsWith('http') && { icon_url: avatar }) },
        description: [lineIn(markdownMarkup, notice.head), bodyOf(markdownMarkup, notice)]
          .filter(text => text !== '')
          .join('\n')
          .slice(0, 4_000),
        color: Number.parseInt(notice.tone === 'plain' ? '334455' : colors[notice.tone].slice(1), 16),
      },
    ],
  }
})

const wholeIn = (markup: Markup, notice: Notice): string =>
  [lineIn(markup, notice.head), bodyOf(markup, notice)].filter(text => text !== '').join('\n')

export const postToGoogleChat = posting(notice => ({ text: wholeIn(googleMarkup, notice) }))

export const postToWebex = posting(notice => ({ markdown: wholeIn(markdownMarkup, notice) }))

export const postToCircuit = posting((notice, { project }) => ({
  subject: project.path_with_namespace,
  text: wholeIn(markdownMarkup, notice),
  markdown: true,
}))
