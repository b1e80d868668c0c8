/** Sanitizes HTML by an allowlist of elements, attributes and styles. */
import { randomBytes } from 'node:crypto'
import sanitizeHtml from 'sanitize-html'

/** Begins the attribute `data-task` of the boxes that the renderer makes. Nobody knows it, so no box in a text can pass for another task's. */
export const TASK_MARK = `${randomBytes(12).toString('base64url')}:`

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'div', 'span', 'details', 'summary'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
    ...['a', 'img', 'b', 'i', 'strong', 'em', 's', 'strike', 'del', 'ins', 'u', 'sub', 'sup', 'small', 'mark', 'q', 'cite', 'abbr'],
    ...['code', 'kbd', 'samp', 'var', 'tt', 'ruby', 'rt', 'rp', 'gl-emoji', 'input'],
  ],
  allowedAttributes: {
    '*': ['dir', 'title', 'lang'],
    a: ['href', 'id', 'class', 'aria-hidden', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    input: ['type', 'class', 'disabled', 'checked', 'aria-label', 'data-task'],
    ol: ['start', 'reversed'],
    li: ['class', 'value'],
    pre: ['class', 'data-math-style'],
    code: ['class', 'data-math-style'],
    th: ['align', 'colspan', 'rowspan', 'style'],
    td: ['align', 'colspan', 'rowspan', 'style'],
    details: ['open'],
    'gl-emoji': ['data-name'],
  },
  allowedClasses: {
    a: ['gfm', 'gfm-*', 'anchor'],
    input: ['task-list-item-checkbox'],
    li: ['task-list-item'],
    pre: ['code', 'math', 'js-render-math'],
    code: ['code', 'math', 'js-render-math', 'js-render-mermaid'],
  },
  // Markdown tables need text alignment; no other style is allowed.
  allowedStyles: { '*': { 'text-align': [/^(left|center|right)$/] } },
  allowedSchemes: ['http', 'https', 'mailto', 'ftp', 'tel', 'ssh', 'git', 'irc', 'xmpp'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  // The only ids are those of headings, with a prefix that no page script uses. Of inputs only disabled checkboxes are kept.
  exclusiveFilter: ({ tag, attribs }) => tag === 'input' && !(attribs.type === 'checkbox' && 'disabled' in attribs),
  transformTags: {
    a: (tagName, { id, ...attribs }) => ({
      tagName,
      attribs: {
        ...(id?.startsWith('user-content-') ? { id } : {}),
        ...attribs,
        // External pages get no referrer, and the link passes on no search rank.
        ...(/^https?:/i.test(attribs.href ?? '') ? { rel: 'nofollow noreferrer noopener' } : {}),
      },
    }),
    input: (tagName, { 'data-task': mark, ...attribs }) => ({
      tagName,
      attribs: mark?.startsWith(TASK_MARK) ? { ...attribs, 'data-task': mark.slice(TASK_MARK.length) } : attribs,
    }),
  },
  nestingLimit: 100,
}

/** Removes everything from `html` that is not on the allowlist. */
export const sanitize = (html: string): string => sanitizeHtml(html, allowed)
