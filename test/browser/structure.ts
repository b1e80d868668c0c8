/**
 * The structure of a page, as an expression for the browser: what axe judges a page by, without its texts and addresses. Pages of the same structure
 * are not looked at twice. It is a digest of each kind of element once, in the order in which they first come: what it is in, its name, its
 * attributes, whether it has text. Rows of a list are one kind. An id that is there twice, or that is referred to and is not there, makes another
 * structure, as does another width of the window or another theme.
 */
export const STRUCTURE = `(() => {
  const said = /^(class|role|type|style|hidden|open|disabled|checked|readonly|lang|dir|tabindex|scope|colspan|contenteditable|aria-(?!label|describedby|controls|owns|details|activedescendant|errormessage).*)$/
  const refers = /^(for|list|headers|aria-(labelledby|describedby|controls|owns|details|activedescendant|errormessage))$/
  const kinds = new Map()
  const visit = (root, within) => {
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
    const each = (element, parent) => {
      let kind = parent + ' ' + element.localName
      for (const attribute of element.attributes) kind += ' ' + attribute.name + '=' + valueOf(attribute)
      for (const node of element.childNodes) if (node.nodeType === 3 && node.data.trim() !== '') { kind += ' text'; break }
      let number = kinds.get(kind)
      if (number === undefined) kinds.set(kind, (number = kinds.size))
      for (const child of element.children) each(child, number)
      if (element.shadowRoot) visit(element.shadowRoot, number + ' shadow')
    }
    for (const element of root.children) each(element, within)
  }
  visit(document, '')
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  return [innerWidth, isDark, matchMedia('(forced-colors: active)').matches, ...kinds.keys()].join('\\n')
})()`

/**
 * The kinds of elements of a page, as an expression for the browser: numbers that stand for an element's name and attributes below those that it is in, each
 * once, and for the order of its headings. A page whose kinds have all been seen on others looks as they do.
 */
export const KINDS = `(() => {
  const hash = text => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57]
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      a = Math.imul(a ^ code, 2654435761)
      b = Math.imul(b ^ code, 1597334677)
    }
    return 4294967296 * (2097151 & b) + (a >>> 0)
  }
  const named = /^(id|for|name|value|href|src|action|title|alt|d|content|data-(?!color).*|aria-(label|labelledby|describedby|controls))$/
  const kinds = new Set()
  const each = (element, within) => {
    const path = hash(within + ' ' + element.localName + ' ' + (element.getAttribute('class') ?? '') + ' ' + (element.getAttribute('role') ?? ''))
    let kind = String(path)
    for (const { name, value } of element.attributes) kind += ' ' + name + (named.test(name) ? '' : '=' + value)
    for (const node of element.childNodes) if (node.nodeType === 3 && node.data.trim() !== '') { kind += ' text'; break }
    kinds.add(hash(kind))
    for (const child of element.children) each(child, path)
  }
  each(document.body, 'page')
  const levels = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ localName }) => localName)
  kinds.add(hash(levels.filter((level, at) => level !== levels[at - 1]).join(' ')))
  return [...kinds]
})()`
