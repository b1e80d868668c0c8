/** Rendered Markdown as a part of a page. */
import { Html, html } from '../../platform/pages/html.ts'

/**
 * What the renderer made (sanitised), as pages need it: the anchors of headings have no text, so they are not for the keyboard; code and tables
 * may be wider than the page, so they are; and the language that it is written in is none that people speak, so `lang` must not name it.
 */
export const markdownBody = (rendered: string): Html =>
  Html.trusted(
    rendered
      .replaceAll('aria-hidden="true"></a>', 'aria-hidden="true" tabindex="-1"></a>')
      .replaceAll('<table dir="auto">', '<table dir="auto" tabindex="0">')
      .replaceAll('<pre class="code" lang="', '<pre class="code" tabindex="0" data-language="'),
  )

/**
 * A text as a part of a page.
 * @param tasksAt where a box of its task list is ticked; undefined where the reader may not
 */
export const textView = (text: Html, tasksAt: string | undefined): Html =>
  tasksAt === undefined
    ? html`<div class="markdown-body">${text}</div>`
    : html`<task-list data-action="${tasksAt}"><div class="markdown-body">${text}</div></task-list>`
