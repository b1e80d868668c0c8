/**
 * What axe judges a page by, without its texts and addresses, as an expression for the browser. A kind of element is a number: a digest of its name and
 * attributes below the elements that it is in, of the window's width and the theme. Rows of a list are one kind. An id that is there twice, or that is
 * referred to and is not there, makes another kind. What axe has found nothing in is not looked at again on other pages.
 */
export const KINDS = `(() => {
  const said = /^(class|role|type|style|hidden|open|disabled|checked|readonly|lang|dir|tabindex|scope|colspan|contenteditable|data-color.*|aria-(?!label|describedby|controls|owns|details|activedescendant|errormessage).*)$/
  const refers = /^(for|list|headers|aria-(labelledby|describedby|controls|owns|details|activedescendant|errormessage))$/
  const landmark = /^(header|nav|main|aside|footer|section|form|search)$/
  const hash = text => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57]
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      a = Math.imul(a ^ code, 2654435761)
      b = Math.imul(b ^ code, 1597334677)
    }
    return 4294967296 * (2097151 & b) + (a >>> 0)
  }
  /** The first element of each kind; of what is in a shadow, its host. */
  const first = new Map()
  /** Landmarks and headings, which are judged by all that a page has of them. */
  const outline = []
  const visit = (root, elements, within, host) => {
    const ids = new Set()
    const known = id => (root.getElementById ? root.getElementById(id) : root.querySelector('#' + CSS.escape(id))) !== null
    const valueOf = ({ name, value }) => {
      if (said.test(name)) return value
      if (name === 'id') {
        const isTwice = ids.has(value)
        ids.add(value)
        return isTwice ? 'twice' : 'once'
      }
      if (refers.test(name)) return value.split(/\\s+/).every(known) ? 'there' : 'missing'
      return value.trim() === '' ? '' : 'x'
    }
    const each = (element, within) => {
      const { localName } = element
      // What is shown of the same elements in an open dialog is not there in a closed one.
      const state = ['class', 'role', 'hidden', 'open', 'inert'].map(name => element.getAttribute(name) ?? '-').join('|')
      const path = hash(within + ' ' + localName + ' ' + state)
      let kind = String(path)
      for (const attribute of element.attributes) kind += ' ' + attribute.name + '=' + valueOf(attribute)
      for (const node of element.childNodes) if (node.nodeType === 3 && node.data.trim() !== '') { kind += ' text'; break }
      // What labels a field stands elsewhere.
      if (element.labels) kind += ' labels ' + element.labels.length
      const number = hash(kind)
      // A reference that leads nowhere, or to two, may be the fault of any element.
      if (!first.has(number)) first.set(number, / [^ ]+=(twice|missing)/.test(kind) ? document.body : (host ?? element))
      const role = element.getAttribute('role')
      if (/^h[1-6]$/.test(localName)) { if (outline.at(-1) !== localName) outline.push(localName) }
      else if (landmark.test(localName) || role) outline.push(localName + ' ' + role + ' ' + (element.getAttribute('aria-label') ?? element.hasAttribute('aria-labelledby')))
      for (const child of element.children) each(child, path)
      if (element.shadowRoot) visit(element.shadowRoot, element.shadowRoot.children, path + ' shadow', host ?? element)
    }
    for (const element of elements) each(element, within)
  }
  const look = [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('(forced-colors: active)').matches].join()
  visit(document, [document.body], look)
  globalThis[Symbol.for('first of each kind')] = first
  const { documentElement } = document
  return {
    // Turbo marks the document while it fetches the next one.
    isBusy: documentElement.hasAttribute('aria-busy'),
    tooWide: documentElement.scrollWidth - documentElement.clientWidth,
    outline: hash(look + outline.join()),
    kinds: [...first.keys()],
  }
})()`

/** What the expression answers. */
export interface Kinds {
  readonly isBusy: boolean
  /** Pixels by which the page is wider than the window. */
  readonly tooWide: number
  /** Of the landmarks and headings of the page. */
  readonly outline: number
  readonly kinds: readonly number[]
}

/** An expression for the browser: the elements that were found first of these kinds, without what is in those of the selector `except`. */
export const firstOf = (kinds: readonly number[], except: string): string =>
  `${JSON.stringify(kinds)}.map(kind => globalThis[Symbol.for('first of each kind')].get(kind)).filter(element => element.isConnected && !element.closest(${JSON.stringify(except)}))`
