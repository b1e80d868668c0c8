/** What every page shows of the instance's appearance. */
import { type FrameAppearance, type ImageKind, imagePath } from '../../platform/appearance/queries.ts'
import type { Appearance } from '../../platform/pages/frame/parts.ts'
import { shortMarkdown } from '../../platform/pages/frame/short_markdown.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { colorsName, shownColors } from '../broadcast_messages/colors.ts'
import { COLORS_PATH } from '../broadcast_messages/shown.ts'

/** The pictures, and the messages in their colours. */
export function appearanceShown(appearance: FrameAppearance): Appearance {
  const { header_message, footer_message, images } = appearance
  const pathOf = (kind: ImageKind) => {
    const filename = images?.[kind]
    return filename === undefined ? undefined : imagePath(kind, filename)
  }
  return {
    logo: pathOf('header_logo'),
    favicon: pathOf('favicon'),
    header: header_message === '' ? undefined : messageBar(header_message, appearance, 'header'),
    footer: footer_message === '' ? undefined : messageBar(footer_message, appearance, 'footer'),
  }
}

const messageBar = (
  message: string,
  { message_background_color: color, message_font_color: font }: FrameAppearance,
  place: 'header' | 'footer',
): Html => {
  const colors = colorsName(shownColors({ color, font }))
  return html`<link rel="stylesheet" href="${COLORS_PATH}/${colors}.css">
<aside class="instance-message broadcast-${colors}" aria-label="${place === 'header' ? 'Message above the page' : 'Message below the page'}" dir="auto">${shortMarkdown(message)}</aside>`
}

/** What administrators ask of those who fill in a form; nothing where they ask nothing. */
export const guidelines = (text: string): Html | false =>
  text !== '' && html`<div class="notice section"><div dir="auto">${shortMarkdown(text)}</div></div>`
