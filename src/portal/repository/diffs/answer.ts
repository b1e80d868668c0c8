/** The answer of a page that shows a diff: all of it, or the next files alone where the page asks for them while it is scrolled. */
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { part } from '../../../platform/pages/frame/document.ts'
import { type DiffView, filesFrame, frameName } from './diff_view.ts'

/** The next files alone, if it is for those that the browser asks; undefined for a request of the page. */
export const filesAlone = ({ request }: Pick<Context, 'request'>, view: DiffView): ByteAnswer | undefined =>
  request.headers['turbo-frame'] === frameName(view.diff.page) ? part(filesFrame(view)) : undefined
