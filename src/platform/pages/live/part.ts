/** A part of a page that follows what it shows. */
import { type Html, html } from '../html.ts'
import type { Topic } from './topics.ts'

/**
 * @param id of the element, once on the page: the part is found by it when the page is fetched again
 * @param quiet its changes are not said to screen readers, since they are many
 */
export const livePart = (id: string, topic: Topic, body: Html, classes?: string, quiet?: 'quiet'): Html =>
  html`<div id="${id}" data-live="${topic}"${quiet && html` data-quiet`}${classes !== undefined && html` class="${classes}"`}>${body}</div>`
