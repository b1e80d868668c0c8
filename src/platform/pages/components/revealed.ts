/** What is hidden until it is asked for: the page has a link to it, and not the text itself. Without a script the link leads to a page of its own. */
import type { ByteAnswer } from '../../kernel/declaration/endpoint.ts'
import { type Page, page } from '../frame/document.ts'
import { type Html, html } from '../html.ts'
import { copyButton } from './copy.ts'

/** The link. `id`: unique on the page; `to`: the address that answers `revealedPage` with the same id. */
export const hidden = ({ id, to, label }: { readonly id: string; readonly to: string; readonly label: string }): Html =>
  html`<turbo-frame id="${id}"><a class="btn btn-sm" href="${to}" aria-label="${label}">Show</a></turbo-frame>`

/** The text, with a button that copies it. */
export const revealed = (label: string, text: string): Html =>
  html`<div class="row revealed" role="group" aria-label="${label}" tabindex="-1" autofocus><code>${text === '' ? '(empty)' : text}</code>${copyButton(`Copy: ${label}`, text)}</div>`

/** The text in the place of its link, and on a page of its own without a script. */
export const revealedPage = (
  ctx: Parameters<typeof page>[0],
  frame: Omit<Page, 'body'>,
  { id, label, text }: { readonly id: string; readonly label: string; readonly text: string },
): Promise<ByteAnswer> => page(ctx, { ...frame, body: html`<turbo-frame id="${id}">${revealed(label, text)}</turbo-frame>` })
