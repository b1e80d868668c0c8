/** Custom properties (`--name: value`) of a style sheet that nothing reads: the design tokens come by the thousand, and pages use some dozens. */

const definition = /(--[\w-]+):[^;{}]*(?:;|(?=\}))/g
const use = /var\(\s*(--[\w-]+)/g

/** The style sheet without the properties that no `var()` reads, also not by way of others that are read. `css` is minified. */
export function withoutUnusedProperties(css: string): string {
  for (let before = ''; before !== css; ) {
    before = css
    const used = new Set([...css.matchAll(use)].map(([, name]) => name))
    css = css.replace(definition, (whole, name: string) => (used.has(name) ? whole : ''))
  }
  return css
}
