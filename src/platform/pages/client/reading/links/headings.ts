/**
 * `#install`, as addresses from elsewhere name a heading of a text, leads to that heading: its id has a prefix, so that no text takes an id of the
 * page around it.
 */
function reach(): void {
  let name = location.hash.slice(1)
  try {
    name = decodeURIComponent(name)
  } catch {
    // It has a percent sign of its own.
  }
  if (name !== '' && !document.getElementById(name)) document.getElementById(`user-content-${name}`)?.scrollIntoView()
}

addEventListener('hashchange', reach)
document.addEventListener('turbo:load', reach)
