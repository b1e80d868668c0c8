/** A part of a page that follows what it shows. */
import { type Html, html } from '../html.ts'
import type { Topic } from './topics.ts'

/** @param id of the element, once on the page: the part is found by it when the page is fetched again */
export const livePart = (id: string, topic: Topic, body: Html, classes?: string): Html =>
  html`<div id="${id}" data-live="${topic}"${classes !== undefined && html` class="${classes}"`}>${body}</div>`
