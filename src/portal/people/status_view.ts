/** What a user says of themselves now. Pure. */

import { emojiOf } from '../../collaboration/markdown/document.ts'
import type { StatusRow } from '../../identity/user_status/queries.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** The status in a line; nothing where none is set. */
export const statusView = ({ emoji, message, availability }: StatusRow): Html | undefined =>
  emoji === null
    ? undefined
    : html`<p class="row user-status"><span class="emoji" title="${emoji.replaceAll('_', ' ')}">${emojiOf(emoji)}</span>${message && html`<span class="break">${message}</span>`}${availability === 'busy' && chip('Busy', 'attention')}</p>`
