/** Rendered Markdown as a part of a page. */
import { copyButton } from '../../platform/pages/components/copy.ts'
import { Html, html } from '../../platform/pages/html.ts'
import { withFormulas } from './formulas.ts'

/** A block of code. What suggests a change is shown as that, and has buttons of its own. */
const block = /<pre class="code" lang="(?!suggestion)[^"]*".*?<\/pre>/gs

/** Without a value: the browser copies what stands before it (`client/reading/copied.ts`), so no text is sent twice. */
const withCopyButton = (code: string): string => {
  const copied = `<div class="sample-code">${code}${copyButton('Copy the code', '').text}</div>`
  // The script draws it (`client/reading/drawing`); without it the source is read.
  return code.startsWith('<pre class="code" lang="mermaid"') ? `<mermaid-diagram>${copied}</mermaid-diagram>` : copied
}

const decoded = (target: string): string => {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

/** Links to headings of the text itself lead to the ids that the renderer gives them, so that no text takes an id of the page around it. */
function withReachableHeadings(rendered: string): string {
  const names = new Set(Array.from(rendered.matchAll(/<a id="user-content-([^"]*)"/g), ([, name]) => name))
  if (names.size === 0) return rendered
  return rendered.replace(/<a [^<>]*>/g, tag =>
    tag.replace(/ href="#([^"]+)"/, (whole, target: string) => {
      const name = decoded(target)
      return names.has(name) ? ` href="#user-content-${name}"` : whole
    }),
  )
}

/**
 * What the renderer made (sanitised), as pages need it: links to its headings lead there; the anchors of headings have no text, so they are not for
 * the keyboard; code and tables may be wider than the page, so they are; code has a button that copies it; and the language that it is written in is
 * none that people speak, so `lang` must not name it. The policy of pages refuses styles
 * of elements, so columns are aligned by an attribute. Formulas are set.
 */
export const markdownBody = async (rendered: string): Promise<Html> =>
  Html.trusted(
    withReachableHeadings(await withFormulas(rendered))
      .replaceAll('aria-hidden="true"></a>', 'aria-hidden="true" tabindex="-1"></a>')
      .replaceAll(/ style="text-align:(left|center|right)"/g, ' align="$1"')
      .replaceAll('<table dir="auto">', '<table dir="auto" tabindex="0">')
      .replaceAll(block, withCopyButton)
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
