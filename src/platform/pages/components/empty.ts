import type { IconName } from '../assets/icons.ts'
import { type Html, html } from '../html.ts'
import { icon } from './icon.ts'

/** What stands where nothing is yet: what it is for, and how to begin. `action` is a link or a form. */
export const empty = ({
  icon: name,
  title,
  says,
  action,
}: {
  icon: IconName
  title: string
  says: string | Html
  action?: Html | undefined
}): Html => html`<div class="empty panel">${icon(name)}<h2>${title}</h2><p>${says}</p>${action && html`<p>${action}</p>`}</div>`
