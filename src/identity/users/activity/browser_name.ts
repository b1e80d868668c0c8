/** What people call the browser that a session was begun in. Pure. */

/** Most browsers name others too, to be served like them: the first that is found counts. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?(?:iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bVivaldi\/(\d+)/, 'Vivaldi'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)(?:\.[\d.]*)? (?:Mobile\/\S+ )?Safari\//, 'Safari'],
]

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox 128 on Windows`, by what it sends as `User-Agent`; undefined for other programs. */
export function browserName(userAgent: string): string | undefined {
  if (!userAgent.startsWith('Mozilla/5.0 (')) return undefined
  for (const [pattern, name] of browsers) {
    const [, version] = pattern.exec(userAgent) ?? []
    if (version === undefined) continue
    const system = systems.find(([named]) => named.test(userAgent))?.[1]
    return `${name} ${version}${system === undefined ? '' : ` on ${system}`}`
  }
  return undefined
}
