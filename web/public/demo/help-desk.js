// Stands in for the help desk's widget in the demo: like the real one it hangs itself into the page that loads it.
{
  const widget = document.createElement('aside')
  widget.id = 'help-desk'
  widget.setAttribute('aria-label', 'Help desk')
  widget.style.cssText = 'position:fixed;right:16px;bottom:16px;z-index:90;font:14px/1.5 system-ui,sans-serif'

  const words = document.createElement('p')
  words.textContent = 'This reseller uses a help desk of its own. Its form would open here.'
  words.hidden = true
  words.style.cssText =
    'width:240px;margin:0 0 8px;padding:12px 16px;border-radius:12px;color:#1c1917;background:#fff;border:1px solid #d6d3d1'

  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Help'
  button.setAttribute('aria-expanded', 'false')
  button.style.cssText =
    'display:block;margin-left:auto;padding:0 20px;height:44px;border:1px solid #fff;border-radius:22px;font:inherit;font-weight:600;color:#fff;background:#7c2d12;cursor:pointer'
  button.addEventListener('click', () => {
    words.hidden = !words.hidden
    button.setAttribute('aria-expanded', String(!words.hidden))
  })

  widget.append(words, button)
  document.body.append(widget)
}
