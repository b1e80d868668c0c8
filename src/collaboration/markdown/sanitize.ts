/** Safe HTML: what people may write into texts, by a list of what is allowed. */
import sanitizeHtml from 'sanitize-html'

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
    input: ['type', 'class', 'disabled', 'checked'],
    ol: ['start', 'reversed'],
    li: ['class', 'value'],
    pre: ['class'],
    th: ['align', 'colspan', 'rowspan', 'style'],
    td: ['align', 'colspan', 'rowspan', 'style'],
    details: ['open'],
    'gl-emoji': ['data-name'],
  },
  allowedClasses: {
    a: ['gfm', 'gfm-*', 'anchor'],
    input: ['task-list-item-checkbox'],
    li: ['task-list-item'],
    pre: ['code'],
  },
  // Markdown's tables say their alignment so; nothing else may be said in a style.
  allowedStyles: { '*': { 'text-align': [/^(left|center|right)$/] } },
  allowedSchemes: ['http', 'https', 'mailto', 'ftp', 'tel', 'ssh', 'git', 'irc', 'xmpp'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  // The only ids are those of headings, under a prefix that no script of a page looks for.
  exclusiveFilter: ({ tag, attribs }) => tag === 'input' && !(attribs.type === 'checkbox' && 'disabled' in attribs),
  transformTags: {
    a: (tagName, { id, ...attribs }) => ({
      tagName,
      attribs: {
        ...(id?.startsWith('user-content-') ? { id } : {}),
        ...attribs,
        // A foreign page learns nothing of where its reader came from, and gains no weight by being linked.
        ...(/^https?:/i.test(attribs.href ?? '') ? { rel: 'nofollow noreferrer noopener' } : {}),
      },
    }),
  },
  nestingLimit: 100,
}

/** Takes out of `html` all that is not known to be harmless. */
export const sanitize = (html: string): string => sanitizeHtml(html, allowed)
