/** The answer of a page that shows a diff: all of it, or a part where the page asks for one. */
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { part } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { aloneFrame } from './content_view.ts'
import { type DiffView, filesFrame, frameName, optionsOf } from './diff_view.ts'
import { bodyOf } from './file_view.ts'

/** Does the page ask for a part of itself? */
export const isPartAsked = ({ request }: Pick<Context, 'request'>): boolean => request.headers['turbo-frame'] !== undefined

/** The next files alone, or a large file, if it is for those that the browser asks; undefined for a request of the page. */
export function filesAlone({ request }: Pick<Context, 'request'>, view: DiffView): ByteAnswer | undefined {
  const { diff, extras = {} } = view
  const asked = request.headers['turbo-frame']
  const [entry] = diff.entries
  // What stands above the lines, or below the pictures, is on the page already.
  const { aboveLines: _, ...onLines } = extras
  if (diff.only !== undefined && entry && asked === aloneFrame(diff.only))
    return part(html`<turbo-frame id="${asked}">${bodyOf(entry, onLines, optionsOf(view, entry))}</turbo-frame>`)
  return asked === frameName(diff.page) ? part(filesFrame(view)) : undefined
}
