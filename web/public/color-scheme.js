{
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
  document.documentElement.style.background = dark ? '#020617' : '#f8fafc'
}
