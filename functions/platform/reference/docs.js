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
    if (example !== location.origin && location.protocol !== 'file:') {
      $('pre', main).forEach(function (pre) {
        if (pre.textContent.indexOf(example) < 0) return;
        var walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) walker.currentNode.data = walker.currentNode.data.split(example).join(location.origin);
      });
    }

    // On a developer's own machine the console and its explorer are beside the reference.
    function addLink(place, text, href) {
      var a = document.createElement('a');
      a.href = href;
      a.textContent = text;
      place.append(' ', a);
    }
    if (/^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)) {
      addLink(main.querySelector('.forms'), 'Console', '/');
      addLink(main.querySelector('.forms'), 'Explorer', '/console/explorer');
      $('article', main).forEach(function (article) {
        var tag = article.parentElement.querySelector('h2').textContent.trim();
        article.querySelector('.needs').append(' ·');
        addLink(article.querySelector('.needs'), 'Try it', '/console/explorer#/' + encodeURIComponent(tag) + '/' + article.id);
      });
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

    // What a link leads to is shown, though it be folded.
    function reveal() {
      var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!target) return;
      for (var e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
      target.scrollIntoView();
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

    // The contents fold on narrow screens and mark the section that is read.
    var menu = document.getElementById('contents'), wide = matchMedia('(min-width: 64rem)'), links = {};
    function fold() { menu.open = wide.matches; }
    wide.addEventListener('change', fold);
    fold();
    menu.addEventListener('click', function (event) { if (event.target.closest('a') && !wide.matches) menu.open = false; });
    $('a', menu).forEach(function (a) { links[a.hash.slice(1)] = a; });
    var observer = new IntersectionObserver(function (entries) {
      entries.forEach(function (entry) {
        if (!entry.isIntersecting) return;
        $('a[aria-current]', menu).forEach(function (a) { a.removeAttribute('aria-current'); });
        var a = links[nameOf(entry.target)];
        a.setAttribute('aria-current', 'true');
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
