// Sets the theme before the first paint. A file of its own, because the content security policy allows no inline script.
// src/lib/theme/theme.ts reads and writes the same key and attribute.
try {
  const choice = localStorage.getItem('one-api-theme')
  if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice
} catch {
  // Storage is blocked: the system theme applies.
}
