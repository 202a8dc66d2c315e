"""The back end that the settings name. Owns that choice alone: nothing is loaded and nobody asked here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tray_app.embed.base import Embedder
from tray_app.web import ServiceFault, remote_host


def make_embedder(values: Mapping[str, Any], *, cache: Path, key: Callable[[str], str | None]) -> Embedder | None:
    """The back end of `values` (`meaning.backend`, `meaning.model`, `meaning.url`, `meaning.dims`), None when it is off.

    `cache`: our cache folder. `key`: gives the key that is kept for a service, by its address as it is set. It is called for
    services alone.
    """
    backend, model, url = (str(values.get(f"meaning.{name}", "")).strip() for name in ("backend", "model", "url"))
    dims = int(values.get("meaning.dims", 0))
    match backend:
        case "builtin":
            from tray_app.embed.builtin import BuiltinEmbedder

            return BuiltinEmbedder(cache)
        case "fastembed":
            from tray_app.embed.fastembed_model import FastembedEmbedder

            return FastembedEmbedder(model, cache=cache)
        case "ollama":
            from tray_app.embed.ollama import OllamaEmbedder

            return OllamaEmbedder(model=model, url=url, key=(url and key(url)) or "", dims=dims)
        case "openai":
            from tray_app.embed.openai import OpenAIEmbedder

            return OpenAIEmbedder(url=url, model=model, key=key(url) or "", dims=dims)
        case _:
            return None


def host_of(values: Mapping[str, Any]) -> str:
    """Where texts are sent with the back end of `values`: host, or host:port; '' where they stay on this machine, and for an address
    that cannot be used. Asks nobody."""
    backend, model, url = (str(values.get(f"meaning.{name}", "")).strip() for name in ("backend", "model", "url"))
    try:
        match backend:
            case "ollama":
                from tray_app.embed.ollama import base_url, cloud_host

                return remote_host(base_url(url)) or cloud_host(model)
            case "openai":
                return remote_host(url)
            case _:
                return ""
    except ServiceFault:  # said with the first question; nothing is sent to it
        return ""
