/** Notices in the markups of chats, with what people wrote as text: no link, no mention and no formatting can be made of it. Pure. */
import type { Part } from './notice.ts'

/** How a chat writes text and links. */
export interface Markup {
  text(text: string): string
  link(text: string, href: string): string
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
const asHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Of Slack and Mattermost. */
export const slackMarkup: Markup = {
  text: asHtml,
  link: (text, href) => `<${asHtml(href).replaceAll('|', '%7C')}|${asHtml(oneLine(text))}>`,
}

/** Of Google Chat, which has no escapes: brackets that could begin a mention are others. */
export const googleMarkup: Markup = {
  text: text => text.replaceAll('<', '‹').replaceAll('>', '›'),
  link: (text, href) => `<${href.replaceAll('|', '%7C')}|${googleMarkup.text(oneLine(text)).replaceAll('|', '/')}>`,
}

/** Markdown: Teams, Discord, Webex, Circuit. */
export const markdownMarkup: Markup = {
  text: text => text.replace(/[\\`*_{}[\]()#+!|<>~@-]/g, '\\$&'),
  link: (text, href) => `[${markdownMarkup.text(oneLine(text))}](${href.replaceAll(')', '%29').replaceAll('(', '%28')})`,
}

/** A line in a markup. */
export const lineIn = (markup: Markup, parts: readonly Part[]): string =>
  parts.map(part => (typeof part === 'string' ? markup.text(part) : markup.link(part.text, part.href))).join('')

/** A line without markup. */
export const plainLine = (parts: readonly Part[]): string => parts.map(part => (typeof part === 'string' ? part : part.text)).join('')
