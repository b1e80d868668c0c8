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
