(function () {
  'use strict';
  var root = document.documentElement, memory = {};
  try { memory = localStorage; } catch (e) { /* it is switched off */ }
  function setTheme(name) {
    if (name === 'light' || name === 'dark') root.dataset.theme = name; else delete root.dataset.theme;
  }
  setTheme(memory.theme);
  root.classList.add('js');

  document.addEventListener('DOMContentLoaded', function () {
    var main = document.getElementById('main'), $ = function (selector, all) { return (all || document).querySelectorAll(selector); };

    // The theme, and the language of the samples, are kept.
    var theme = document.getElementById('theme');
    theme.value = root.dataset.theme || 'system';
    theme.onchange = function () { memory.theme = theme.value; setTheme(theme.value); };
    function chooseLanguage(name) {
      $('.languages input').forEach(function (input) { if (input.value === name) input.checked = true; });
    }
    if (memory.language) chooseLanguage(memory.language);
    main.addEventListener('change', function (event) {
      if (!event.target.closest('.languages')) return;
      var top = event.target.getBoundingClientRect().top;
      memory.language = event.target.value;
      chooseLanguage(event.target.value);
      scrollBy(0, event.target.getBoundingClientRect().top - top); // samples above have changed their height
    });

    // Samples name the host that served the page.
    var example = root.dataset.origin;
    if (example !== location.origin) {
      $('pre', main).forEach(function (pre) {
        if (pre.textContent.indexOf(example) < 0) return;
        var walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) walker.currentNode.data = walker.currentNode.data.split(example).join(location.origin);
      });
    }

    // On a developer's own machine the console is beside the reference.
    var forms = main.querySelector('.forms');
    if (forms && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)) {
      var a = document.createElement('a');
      a.href = '/';
      a.textContent = 'Console';
      forms.append(' ', a);
    }

    // Buttons that copy.
    if (navigator.clipboard) $('pre', main).forEach(function (pre) {
      var button = document.createElement('button');
      button.className = 'copy';
      button.textContent = 'Copy';
      button.onclick = function () {
        navigator.clipboard.writeText(pre.textContent.trim() + '\n').then(function () {
          button.textContent = 'Copied';
          setTimeout(function () { button.textContent = 'Copy'; }, 1500);
        });
      };
      var frame = document.createElement('div');
      frame.className = 'code';
      pre.replaceWith(frame);
      frame.append(pre, button);
    });

    // What a link leads to is shown, though it be folded, or on another page than it once was. A link of the
    // former explorer ends in the name of an operation.
    function reveal() {
      var id = decodeURIComponent(location.hash.slice(1)).split('/').pop(), target = document.getElementById(id);
      if (!target) return id && follow(id);
      for (var e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
      target.scrollIntoView();
    }
    // follow opens the page that has an element which GET /docs once had: the one to which the link of that name,
    // of its endpoint or of its enumeration leads.
    function follow(id) {
      var part = id.split('-')[0];
      [id, part, 'enum-' + part].some(function (name) {
        var link = main.querySelector('a[name="' + CSS.escape(name) + '"]');
        if (link) location.replace(link.pathname + '#' + id);
        return link;
      });
    }
    addEventListener('hashchange', reveal);
    if (location.hash) reveal();

    // Paper has everything unfolded, also in browsers whose styles cannot unfold.
    var folded = [];
    addEventListener('beforeprint', function () {
      folded = Array.prototype.slice.call($('details:not([open])', main));
      folded.forEach(function (details) { details.open = true; });
    });
    addEventListener('afterprint', function () { folded.forEach(function (details) { details.open = false; }); });

    // The first page can be printed with all others.
    function load(address, then) {
      var request = new XMLHttpRequest();
      request.open('GET', address);
      request.responseType = 'document';
      request.onload = function () { then(request.response); };
      request.onerror = function () { then(null); };
      request.send();
    }
    function printAll(button) {
      var addresses = Array.prototype.map.call($('p a', menu), function (a) { return a.pathname; }), pages = [], waiting = addresses.length;
      button.disabled = true;
      addresses.forEach(function (address, i) {
        load(address, function (page) {
          pages[i] = page && page.querySelector('main > section');
          if (--waiting) return;
          button.disabled = false;
          if (!pages.every(Boolean)) { button.textContent = 'Not loaded; print again'; return; }
          main.append.apply(main, pages);
          print();
          pages.forEach(function (part) { part.remove(); });
        });
      });
    }
    if (forms) {
      var button = document.createElement('button');
      button.textContent = 'Print everything';
      button.onclick = function () { printAll(button); };
      forms.append(' ', button);
    }

    // The contents fold on narrow screens and mark the section that is read.
    var menu = document.getElementById('contents'), wide = matchMedia('(min-width: 64rem)'), links = {};
    function fold() { menu.open = wide.matches; }
    wide.addEventListener('change', fold);
    fold();
    menu.addEventListener('click', function (event) { if (event.target.closest('a') && !wide.matches) menu.open = false; });
    $('a', menu).forEach(function (a) { if (a.pathname === location.pathname) links[a.hash.slice(1)] = a; });
    var observer = new IntersectionObserver(function (entries) {
      entries.forEach(function (entry) {
        if (!entry.isIntersecting) return;
        $('a[aria-current=true]', menu).forEach(function (a) { a.removeAttribute('aria-current'); });
        var a = links[nameOf(entry.target)];
        if (!a.hasAttribute('aria-current')) a.setAttribute('aria-current', 'true');
        if (wide.matches) {
          var box = a.getBoundingClientRect(), frame = menu.parentElement.getBoundingClientRect();
          if (box.top < frame.top + 40 || box.bottom > frame.bottom - 40) menu.parentElement.scrollTop += box.top - frame.top - frame.height / 2;
        }
      });
    }, { rootMargin: '-10% 0px -85% 0px' });
    function nameOf(part) { return part.id || (part.querySelector('[id]') || {}).id; }
    $('section, article', main).forEach(function (part) { if (links[nameOf(part)]) observer.observe(part); });
  });
})();
