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

    // Search over everything that has a link of its own.
    var box = document.getElementById('search'), results = document.getElementById('results'), index, chosen = -1;
    function buildIndex() {
      index = [];
      $('[id]', main).forEach(function (e) {
        var link = e.querySelector('a.a, a.f') || e;
        var article = e.parentElement.closest('.enum, article, section'), where = article ? article.querySelector('h2, h3').textContent : '';
        var path = e.tagName === 'ARTICLE' ? e.querySelector('.endpoint').textContent.trim().replace(/\s+/g, ' ') : '';
        index.push({ id: e.id, label: link.textContent.trim().slice(0, 80), more: path || where, text: (link.textContent + ' ' + e.id + ' ' + path).toLowerCase() });
      });
    }
    function rank(entry, words) {
      var label = entry.label.toLowerCase(), phrase = words.join(' '), score = label === phrase ? 30 : label.indexOf(phrase) === 0 ? 10 : 0;
      for (var i = 0; i < words.length; i++) {
        if (entry.text.indexOf(words[i]) < 0) return 0;
        score += label === words[i] ? 9 : label.indexOf(words[i]) === 0 ? 5 : label.indexOf(words[i]) > 0 ? 3 : 1;
      }
      return score * 100 - Math.min(entry.id.length, 99);
    }
    function show() {
      if (!index) buildIndex();
      var words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      var found = words.length ? index.map(function (e) { return [rank(e, words), e]; }).filter(function (e) { return e[0] > 0; }) : [];
      found.sort(function (a, b) { return b[0] - a[0]; });
      results.textContent = '';
      found.slice(0, 12).forEach(function (hit, i) {
        var a = document.createElement('a'), more = document.createElement('small');
        a.href = '#' + hit[1].id;
        a.id = 'result-' + i;
        a.setAttribute('role', 'option');
        a.tabIndex = -1;
        a.textContent = hit[1].label;
        more.textContent = hit[1].more;
        a.append(more);
        results.append(a);
      });
      if (words.length && !found.length) {
        var nothing = document.createElement('p');
        nothing.setAttribute('role', 'option');
        nothing.setAttribute('aria-disabled', true);
        nothing.textContent = 'Nothing found';
        results.append(nothing);
      }
      choose(found.length ? 0 : -1);
      setOpen(words.length > 0);
    }
    function setOpen(open) {
      results.hidden = !open;
      box.setAttribute('aria-expanded', open);
    }
    function choose(i) {
      chosen = i;
      $('a', results).forEach(function (a, n) { a.setAttribute('aria-selected', n === i); });
      if (i < 0) box.removeAttribute('aria-activedescendant'); else {
        box.setAttribute('aria-activedescendant', 'result-' + i);
        results.children[i].scrollIntoView({ block: 'nearest' });
      }
    }
    box.oninput = show;
    box.onfocus = function () { if (box.value) show(); };
    box.onkeydown = function (event) {
      var n = $('a', results).length;
      if (event.key === 'Escape') { setOpen(false); box.blur(); }
      if (!n || results.hidden) return;
      if (event.key === 'ArrowDown') choose((chosen + 1) % n);
      else if (event.key === 'ArrowUp') choose((chosen + n - 1) % n);
      else if (event.key === 'Enter') results.children[chosen].click();
      else return;
      event.preventDefault();
    };
    results.addEventListener('click', function (event) {
      if (!event.target.closest('a')) return;
      setOpen(false);
      box.blur();
      setTimeout(reveal);
    });
    document.addEventListener('click', function (event) { if (!event.target.closest('.find')) setOpen(false); });
    document.addEventListener('keydown', function (event) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
      event.preventDefault();
      box.focus();
    });
  });
})();
